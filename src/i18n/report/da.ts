import type { ReportTexts } from './en.ts'

export const da: ReportTexts = {
  title: 'Anmeld denne besked',
  when: 'Anmeld den, hvis du ikke kender afsenderen, eller hvis du tror, at beskeden vil narre dig.',
  what: 'Den, der driver tjenesten, og administratorerne i afsenderens organisation ser din anmeldelse, og du får ikke flere beskeder om denne anmodning.',
  button: 'Anmeld beskeden',
  open: 'Jeg kender afsenderen, åbn anmodningen',
  doneTitle: 'Anmeldt',
  doneText: 'Tak. Du får ikke flere beskeder om denne anmodning.',
  doneNext: 'Du behøver ikke gøre mere. Åbn ikke dokumenter fra en afsender, som du ikke stoler på.',
}
