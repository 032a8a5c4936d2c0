import type { MailTexts } from './en.ts'

export const de: MailTexts = {
  greeting: 'Guten Tag {name},',
  greetingWithoutName: 'Guten Tag,',
  sentBy: 'Gesendet von {sender}.',
  footer: 'Gesendet mit Countersign im Auftrag von {organisation}.',

  invitationSubject: '{organisation}: Bitte unterschreiben Sie „{subject}“',
  invitationHeadline: '{organisation} bittet Sie, „{subject}“ zu unterschreiben.',
  reminderSubject: 'Erinnerung von {organisation}: „{subject}“ wartet auf Ihre Unterschrift',
  reminderHeadline: '{organisation} wartet noch auf Ihre Unterschrift unter „{subject}“.',
  deadline: 'Sie können bis zum {deadline} unterschreiben.',
  signButton: 'Lesen und unterschreiben',
  howToDecline:
    'Wenn Sie nicht unterschreiben möchten, öffnen Sie dieselbe Seite und wählen Sie „Unterschrift ablehnen“. Sie können einen Grund nennen.',
  linkIsYours: 'Der Link ist nur für Sie bestimmt. Bitte leiten Sie diese Nachricht nicht weiter.',
  reportLink: 'Sie kennen den Absender nicht? Melden Sie diese Nachricht',
  copyAddress: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',

  realTitle: 'Woran Sie erkennen, dass diese Nachricht echt ist',
  realAddress: 'Der Link führt zu {host}. Ihr Browser zeigt genau diesen Namen, sobald die Seite geöffnet ist.',
  realNothingElse: 'Es gibt keine Anhänge, und Sie werden nie nach einem Passwort oder nach Geld gefragt.',
  realInDoubt: 'Fragen Sie im Zweifel zuerst bei {organisation} nach, auf einem Weg, den Sie bereits kennen.',

  codeSubject: '{organisation}: Ihr Einmalcode',
  codeHeadline: 'Geben Sie diesen Code auf der Seite ein, die Sie geöffnet haben:',
  codeExpires: 'Er gilt einmal, bis {time}.',
  codeForYou: 'Geben Sie ihn niemandem weiter, auch nicht Personen, die angeben, für {organisation} zu arbeiten.',
  codeNotAsked: 'Wenn Sie keinen Code angefordert haben, brauchen Sie nichts zu tun.',

  canceledSubject: '{organisation}: „{subject}“ muss nicht mehr unterschrieben werden',
  canceledHeadline: '{organisation} hat „{subject}“ zurückgezogen.',
  declinedHeadline: '„{subject}“ von {organisation} wurde beendet, weil jemand die Unterschrift abgelehnt hat.',
  expiredHeadline: '„{subject}“ von {organisation} ist abgelaufen, weil nicht alle rechtzeitig unterschrieben haben.',
  reason: 'Grund: {reason}',
  nothingToDo: 'Sie brauchen nichts zu tun. Ihr persönlicher Link funktioniert nicht mehr.',

  completedSubject: '{organisation}: „{subject}“ ist unterschrieben',
  completedHeadline: 'Alle nötigen Unterschriften für „{subject}“ liegen vor, und die Dokumente sind gesiegelt.',
  completedCopy: 'Wenn Sie eine Kopie der unterschriebenen Dokumente brauchen, wenden Sie sich an {organisation}.',
  downloadButton: 'Dokumente herunterladen',

  accountSubject: '{organisation} lädt Sie zu Countersign ein',
  accountHeadline: '{organisation} hat ein Konto für Sie angelegt.',
  accountNext: 'Wählen Sie zunächst ein Passwort. Der Link funktioniert bis zum {deadline}.',
  resetSubject: 'Neues Passwort für Countersign wählen',
  resetHeadline: 'Für Ihr Konto bei {organisation} wurde ein neues Passwort angefordert.',
  resetNext:
    'Wählen Sie es über diesen Link, der bis zum {deadline} funktioniert. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.',
  passwordButton: 'Passwort wählen',

  webhookSubject: '{organisation}: Ein Webhook wurde abgeschaltet',
  webhookHeadline: 'Countersign sendet „{eventType}“ nicht mehr an {host}.',
  webhookGone: 'Der Empfänger hat geantwortet, dass es ihn nicht mehr gibt (410).',
  webhookFailing: 'Fünf Tage lang ist jeder Versuch gescheitert.',
  webhookNext:
    'Nichts ist verloren: Sobald der Empfänger wieder arbeitet, setzen Sie das Abonnement fort und lassen Sie erneut senden, was inzwischen geschehen ist.',
  webhookId: 'Abonnement: {id}',

  smsInvitation: '{organisation} bittet Sie, „{subject}“ zu unterschreiben: {url}',
  smsReminder: 'Erinnerung: {organisation} wartet auf Ihre Unterschrift unter „{subject}“: {url}',
  smsDeadline: 'Frist: {deadline}.',
  smsCode: '{code} ist Ihr Code für {organisation}. Er gilt bis {time}. Geben Sie ihn niemandem weiter.',
  smsEnded: '„{subject}“ von {organisation} muss nicht mehr unterschrieben werden.',
  smsCompleted: '„{subject}“ von {organisation} ist unterschrieben.',
}
