import type { MailTexts } from './en.ts'

export const nb: MailTexts = {
  greeting: 'Hei, {name}!',
  greetingWithoutName: 'Hei!',
  sentBy: 'Sendt av {sender}.',
  footer: 'Sendt med Countersign på vegne av {organisation}.',

  invitationSubject: '{organisation}: vennligst signer «{subject}»',
  invitationHeadline: '{organisation} ber deg om å signere «{subject}».',
  reminderSubject: 'Påminnelse fra {organisation}: «{subject}» venter på signaturen din',
  reminderHeadline: '{organisation} venter fortsatt på signaturen din på «{subject}».',
  deadline: 'Du kan signere frem til {deadline}.',
  signButton: 'Les og signer',
  howToDecline: 'Hvis du ikke vil signere, åpner du den samme siden og velger «Avslå å signere». Du kan oppgi hvorfor.',
  linkIsYours: 'Lenken er bare ment for deg. Ikke videresend denne meldingen.',
  reportLink: 'Kjenner du ikke avsenderen? Rapporter denne meldingen',
  copyAddress: 'Hvis knappen ikke virker, kan du kopiere denne adressen inn i nettleseren:',

  realTitle: 'Slik ser du at meldingen er ekte',
  realAddress: 'Lenken fører til {host}. Nettleseren viser nøyaktig det navnet når siden er åpen.',
  realNothingElse: 'Det er ingen vedlegg, og du blir aldri bedt om passord eller penger.',
  realInDoubt: 'Er du i tvil, kan du spørre {organisation} først, på en måte du allerede kjenner.',

  codeSubject: '{organisation}: engangskoden din',
  codeHeadline: 'Skriv inn denne koden på siden du har åpen:',
  codeExpires: 'Den virker én gang, frem til kl. {time}.',
  codeForYou: 'Ikke gi den til noen, heller ikke til noen som sier at de jobber for {organisation}.',
  codeNotAsked: 'Hvis du ikke har bedt om en kode, trenger du ikke å gjøre noe.',

  canceledSubject: '{organisation}: «{subject}» trenger ikke lenger å signeres',
  canceledHeadline: '{organisation} har trukket tilbake «{subject}».',
  declinedHeadline: '«{subject}» fra {organisation} er avsluttet fordi noen avslo å signere.',
  expiredHeadline: '«{subject}» fra {organisation} er utløpt fordi ikke alle signerte i tide.',
  reason: 'Begrunnelse: {reason}',
  nothingToDo: 'Du trenger ikke å gjøre noe. Den personlige lenken din virker ikke lenger.',

  completedSubject: '{organisation}: «{subject}» er signert',
  completedHeadline: 'Alle som måtte signere «{subject}», har signert, og dokumentene er forseglet.',
  completedCopy: 'Hvis du trenger en kopi av de signerte dokumentene, kan du be {organisation} om den.',
  downloadButton: 'Last ned dokumentene',

  accountSubject: '{organisation} inviterer deg til Countersign',
  accountHeadline: '{organisation} har opprettet en konto for deg.',
  accountNext: 'Velg et passord for å komme i gang. Lenken virker frem til {deadline}.',
  resetSubject: 'Velg et nytt passord for Countersign',
  resetHeadline: 'Noen har bedt om et nytt passord for kontoen din hos {organisation}.',
  resetNext:
    'Velg det med denne lenken, som virker frem til {deadline}. Var det ikke deg, trenger du ikke gjøre noe: passordet ditt er uendret.',
  passwordButton: 'Velg passord',

  webhookSubject: '{organisation}: en webhook er slått av',
  webhookHeadline: 'Countersign har sluttet å sende «{eventType}» til {host}.',
  webhookGone: 'Mottakeren svarte at den er borte for godt (410).',
  webhookFailing: 'I fem dager har hvert forsøk mislyktes.',
  webhookNext:
    'Ingenting er tapt: når mottakeren virker igjen, gjenoppta abonnementet og send på nytt det som skjedde i mellomtiden.',
  webhookId: 'Abonnement: {id}',

  smsInvitation: '{organisation} ber deg om å signere «{subject}»: {url}',
  smsReminder: 'Påminnelse: {organisation} venter på signaturen din på «{subject}»: {url}',
  smsDeadline: 'Frist: {deadline}.',
  smsCode: '{code} er koden din for {organisation}. Den virker til kl. {time}. Ikke gi den til noen.',
  smsEnded: '«{subject}» fra {organisation} trenger ikke lenger å signeres.',
  smsCompleted: '«{subject}» fra {organisation} er signert.',
}
