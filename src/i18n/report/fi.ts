import type { ReportTexts } from './en.ts'

export const fi: ReportTexts = {
  title: 'Ilmoita tästä viestistä',
  when: 'Ilmoita viestistä, jos et tunne lähettäjää tai jos epäilet, että sinua yritetään huijata.',
  what: 'Tämän palvelun ylläpitäjä ja lähettäjän organisaation pääkäyttäjät näkevät ilmoituksesi, etkä saa enää viestejä tästä pyynnöstä.',
  button: 'Ilmoita viestistä',
  open: 'Tunnen lähettäjän, avaa pyyntö',
  doneTitle: 'Ilmoitus on tehty',
  doneText: 'Kiitos. Et saa enää viestejä tästä pyynnöstä.',
  doneNext: 'Sinun ei tarvitse tehdä muuta. Älä avaa asiakirjoja, joiden lähettäjään et luota.',
}
