import type { ReportTexts } from './en.ts'

export const de: ReportTexts = {
  title: 'Diese Nachricht melden',
  when: 'Melden Sie sie, wenn Sie den Absender nicht kennen oder glauben, dass die Nachricht Sie täuschen soll.',
  what: 'Der Betreiber dieses Dienstes und die Administratoren der Organisation des Absenders sehen Ihre Meldung, und Sie erhalten keine weiteren Nachrichten zu dieser Anfrage.',
  button: 'Nachricht melden',
  open: 'Ich kenne den Absender, Anfrage öffnen',
  doneTitle: 'Gemeldet',
  doneText: 'Vielen Dank. Sie erhalten keine weiteren Nachrichten zu dieser Anfrage.',
  doneNext: 'Sie müssen nichts weiter tun. Öffnen Sie keine Dokumente von Absendern, denen Sie nicht trauen.',
}
