import type { MailTexts } from './en.ts'

export const sv: MailTexts = {
  greeting: 'Hej {name}!',
  greetingWithoutName: 'Hej!',
  sentBy: 'Skickat av {sender}.',
  footer: 'Skickat med Countersign på uppdrag av {organisation}.',

  invitationSubject: '{organisation}: underteckna ”{subject}”',
  invitationHeadline: '{organisation} ber dig underteckna ”{subject}”.',
  reminderSubject: 'Påminnelse från {organisation}: ”{subject}” väntar på din underskrift',
  reminderHeadline: '{organisation} väntar fortfarande på din underskrift på ”{subject}”.',
  deadline: 'Du kan underteckna fram till {deadline}.',
  signButton: 'Läs och underteckna',
  howToDecline:
    'Om du inte vill underteckna öppnar du samma sida och väljer ”Avböj att underteckna”. Du kan ange varför.',
  linkIsYours: 'Länken är bara avsedd för dig. Vidarebefordra inte det här meddelandet.',
  reportLink: 'Känner du inte avsändaren? Anmäl det här meddelandet',
  copyAddress: 'Om knappen inte fungerar kan du kopiera den här adressen till webbläsaren:',

  realTitle: 'Så vet du att meddelandet är äkta',
  realAddress: 'Länken leder till {host}. Webbläsaren visar exakt det namnet när sidan är öppen.',
  realNothingElse: 'Det finns inga bilagor, och du blir aldrig ombedd att lämna lösenord eller betala något.',
  realInDoubt: 'Är du osäker? Fråga först {organisation} på ett sätt som du redan känner till.',

  codeSubject: '{organisation}: din engångskod',
  codeHeadline: 'Ange den här koden på sidan som du har öppen:',
  codeExpires: 'Koden fungerar en gång, fram till kl. {time}.',
  codeForYou: 'Lämna inte ut den till någon, inte ens till den som säger sig arbeta för {organisation}.',
  codeNotAsked: 'Om du inte har bett om en kod behöver du inte göra något.',

  canceledSubject: '{organisation}: ”{subject}” behöver inte längre undertecknas',
  canceledHeadline: '{organisation} har dragit tillbaka ”{subject}”.',
  declinedHeadline: '”{subject}” från {organisation} har avslutats eftersom någon avböjde att underteckna.',
  expiredHeadline: '”{subject}” från {organisation} har löpt ut eftersom alla inte undertecknade i tid.',
  reason: 'Orsak: {reason}',
  nothingToDo: 'Du behöver inte göra något. Din personliga länk fungerar inte längre.',

  completedSubject: '{organisation}: alla underskrifter är klara – ”{subject}”',
  completedHeadline: 'Alla underskrifter som behövdes för ”{subject}” är klara och handlingarna är förseglade.',
  completedCopy: 'Om du behöver en kopia av de undertecknade handlingarna kan du be {organisation} om den.',
  downloadButton: 'Ladda ner handlingarna',

  accountSubject: '{organisation} bjuder in dig till Countersign',
  accountHeadline: '{organisation} har skapat ett konto åt dig.',
  accountNext: 'Börja med att välja ett lösenord. Länken fungerar fram till {deadline}.',
  resetSubject: 'Välj ett nytt lösenord för Countersign',
  resetHeadline: 'Någon har bett om ett nytt lösenord till ditt konto hos {organisation}.',
  resetNext:
    'Välj det med den här länken, som fungerar fram till {deadline}. Var det inte du behöver du inte göra något: ditt lösenord ändras inte.',
  passwordButton: 'Välj lösenord',

  webhookSubject: '{organisation}: en webhook har stängts av',
  webhookHeadline: 'Countersign har slutat skicka ”{eventType}” till {host}.',
  webhookGone: 'Mottagaren svarade att den är borta för gott (410).',
  webhookFailing: 'Under fem dagar har varje försök misslyckats.',
  webhookNext:
    'Inget har gått förlorat: när mottagaren fungerar igen, återuppta prenumerationen och skicka om det som hänt under tiden.',
  webhookId: 'Prenumeration: {id}',

  smsInvitation: '{organisation} ber dig underteckna ”{subject}”: {url}',
  smsReminder: 'Påminnelse: {organisation} väntar på din underskrift på ”{subject}”: {url}',
  smsDeadline: 'Senast {deadline}.',
  smsCode: '{code} är din kod för {organisation}. Den gäller till kl. {time}. Lämna inte ut den till någon.',
  smsEnded: '”{subject}” från {organisation} behöver inte längre undertecknas.',
  smsCompleted: 'Alla underskrifter är klara: ”{subject}” från {organisation}.',
}
