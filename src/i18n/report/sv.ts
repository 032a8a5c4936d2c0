import type { ReportTexts } from './en.ts'

export const sv: ReportTexts = {
  title: 'Anmäl det här meddelandet',
  when: 'Anmäl det om du inte känner avsändaren, eller om du tror att meddelandet vill lura dig.',
  what: 'Den som driver tjänsten och administratörerna i avsändarens organisation ser din anmälan, och du får inga fler meddelanden om den här begäran.',
  button: 'Anmäl meddelandet',
  open: 'Jag känner avsändaren, öppna begäran',
  doneTitle: 'Anmält',
  doneText: 'Tack. Du får inga fler meddelanden om den här begäran.',
  doneNext: 'Du behöver inte göra något mer. Öppna inte dokument från en avsändare som du inte litar på.',
}
