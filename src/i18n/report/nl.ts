import type { ReportTexts } from './en.ts'

export const nl: ReportTexts = {
  title: 'Dit bericht melden',
  when: 'Meld het als u de afzender niet kent, of als u denkt dat het bericht u wil misleiden.',
  what: 'De beheerder van deze dienst en de beheerders van de organisatie van de afzender zien uw melding, en u krijgt geen berichten meer over dit verzoek.',
  button: 'Bericht melden',
  open: 'Ik ken de afzender, open het verzoek',
  doneTitle: 'Gemeld',
  doneText: 'Dank u wel. U krijgt geen berichten meer over dit verzoek.',
  doneNext: 'U hoeft verder niets te doen. Open geen documenten van een afzender die u niet vertrouwt.',
}
