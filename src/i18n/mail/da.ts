import type { MailTexts } from './en.ts'

export const da: MailTexts = {
  greeting: 'Hej {name}',
  greetingWithoutName: 'Hej',
  sentBy: 'Sendt af {sender}.',
  footer: 'Sendt med Countersign på vegne af {organisation}.',

  invitationSubject: '{organisation}: underskriv venligst »{subject}«',
  invitationHeadline: '{organisation} beder dig om at underskrive »{subject}«.',
  reminderSubject: 'Påmindelse fra {organisation}: »{subject}« afventer din underskrift',
  reminderHeadline: '{organisation} venter stadig på din underskrift på »{subject}«.',
  deadline: 'Du kan underskrive indtil {deadline}.',
  signButton: 'Læs og underskriv',
  howToDecline:
    'Hvis du ikke vil underskrive, skal du åbne den samme side og vælge »Afvis at underskrive«. Du kan skrive hvorfor.',
  linkIsYours: 'Linket er kun beregnet til dig. Send ikke denne besked videre.',
  reportLink: 'Kender du ikke afsenderen? Anmeld denne besked',
  copyAddress: 'Hvis knappen ikke virker, kan du kopiere denne adresse ind i din browser:',

  realTitle: 'Sådan ser du, at beskeden er ægte',
  realAddress: 'Linket fører til {host}. Din browser viser præcis det navn, når siden er åben.',
  realNothingElse: 'Der er ingen vedhæftede filer, og du bliver aldrig bedt om en adgangskode eller om penge.',
  realInDoubt: 'Er du i tvivl, så spørg først {organisation} på en måde, som du allerede kender.',

  codeSubject: '{organisation}: din engangskode',
  codeHeadline: 'Indtast denne kode på den side, som du har åben:',
  codeExpires: 'Den virker én gang, indtil kl. {time}.',
  codeForYou: 'Giv den ikke til nogen, heller ikke til en, der siger, at vedkommende arbejder for {organisation}.',
  codeNotAsked: 'Hvis du ikke har bedt om en kode, behøver du ikke at gøre noget.',

  canceledSubject: '{organisation}: »{subject}« skal ikke længere underskrives',
  canceledHeadline: '{organisation} har trukket »{subject}« tilbage.',
  declinedHeadline: '»{subject}« fra {organisation} er afsluttet, fordi en person afviste at underskrive.',
  expiredHeadline: '»{subject}« fra {organisation} er udløbet, fordi ikke alle underskrev i tide.',
  reason: 'Begrundelse: {reason}',
  nothingToDo: 'Du behøver ikke at gøre noget. Dit personlige link virker ikke længere.',

  completedSubject: '{organisation}: »{subject}« er underskrevet',
  completedHeadline: 'Alle, der skulle underskrive »{subject}«, har underskrevet, og dokumenterne er forseglet.',
  completedCopy: 'Hvis du har brug for en kopi af de underskrevne dokumenter, kan du bede {organisation} om den.',
  downloadButton: 'Hent dokumenterne',

  accountSubject: '{organisation} inviterer dig til Countersign',
  accountHeadline: '{organisation} har oprettet en konto til dig.',
  accountNext: 'Vælg en adgangskode for at komme i gang. Linket virker indtil {deadline}.',
  resetSubject: 'Vælg en ny adgangskode til Countersign',
  resetHeadline: 'Nogen har bedt om en ny adgangskode til din konto hos {organisation}.',
  resetNext:
    'Vælg den med dette link, som virker indtil {deadline}. Var det ikke dig, skal du ikke gøre noget: din adgangskode er uændret.',
  passwordButton: 'Vælg adgangskode',

  webhookSubject: '{organisation}: en webhook er slået fra',
  webhookHeadline: 'Countersign er holdt op med at sende »{eventType}« til {host}.',
  webhookGone: 'Modtageren svarede, at den er væk for altid (410).',
  webhookFailing: 'I fem dage er hvert forsøg mislykkedes.',
  webhookNext:
    'Intet er gået tabt: når modtageren virker igen, så genoptag abonnementet og send det, der skete i mellemtiden, igen.',
  webhookId: 'Abonnementets nummer: {id}',

  smsInvitation: '{organisation} beder dig om at underskrive »{subject}«: {url}',
  smsReminder: 'Påmindelse: {organisation} venter på din underskrift på »{subject}«: {url}',
  smsDeadline: 'Senest {deadline}.',
  smsCode: '{code} er din kode til {organisation}. Den virker indtil kl. {time}. Giv den ikke til nogen.',
  smsEnded: '»{subject}« fra {organisation} skal ikke længere underskrives.',
  smsCompleted: '»{subject}« fra {organisation} er underskrevet.',
}
