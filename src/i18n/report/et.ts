import type { ReportTexts } from './en.ts'

export const et: ReportTexts = {
  title: 'Teatage sellest sõnumist',
  when: 'Teatage sellest, kui te ei tunne saatjat või kui arvate, et sõnum püüab teid petta.',
  what: 'Selle teenuse haldaja ja saatja organisatsiooni administraatorid näevad teie teadet ning te ei saa selle taotluse kohta enam sõnumeid.',
  button: 'Teata sõnumist',
  open: 'Tunnen saatjat, ava taotlus',
  doneTitle: 'Teatatud',
  doneText: 'Täname. Te ei saa selle taotluse kohta enam sõnumeid.',
  doneNext: 'Rohkem ei pea te midagi tegema. Ärge avage dokumente, mille saatjat te ei usalda.',
}
