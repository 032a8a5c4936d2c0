import type { ReportTexts } from './en.ts'

export const nb: ReportTexts = {
  title: 'Rapporter denne meldingen',
  when: 'Rapporter den hvis du ikke kjenner avsenderen, eller hvis du tror at meldingen vil lure deg.',
  what: 'Den som driver tjenesten og administratorene i avsenderens organisasjon ser rapporten, og du får ingen flere meldinger om denne forespørselen.',
  button: 'Rapporter meldingen',
  open: 'Jeg kjenner avsenderen, åpne forespørselen',
  doneTitle: 'Rapportert',
  doneText: 'Takk. Du får ingen flere meldinger om denne forespørselen.',
  doneNext: 'Du trenger ikke å gjøre noe mer. Ikke åpne dokumenter fra en avsender du ikke stoler på.',
}
