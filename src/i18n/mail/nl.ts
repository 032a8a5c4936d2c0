import type { MailTexts } from './en.ts'

export const nl: MailTexts = {
  greeting: 'Dag {name},',
  greetingWithoutName: 'Goedendag,',
  sentBy: 'Verzonden door {sender}.',
  footer: 'Verzonden met Countersign namens {organisation}.',

  invitationSubject: '{organisation}: graag ‘{subject}’ ondertekenen',
  invitationHeadline: '{organisation} vraagt u om ‘{subject}’ te ondertekenen.',
  reminderSubject: 'Herinnering van {organisation}: ‘{subject}’ wacht op uw handtekening',
  reminderHeadline: '{organisation} wacht nog op uw handtekening onder ‘{subject}’.',
  deadline: 'U kunt ondertekenen tot {deadline}.',
  signButton: 'Lezen en ondertekenen',
  howToDecline:
    'Wilt u niet ondertekenen? Open dan dezelfde pagina en kies ‘Ondertekening weigeren’. U kunt aangeven waarom.',
  linkIsYours: 'De link is alleen voor u bestemd. Stuur dit bericht niet door.',
  reportLink: 'Kent u de afzender niet? Meld dit bericht',
  copyAddress: 'Werkt de knop niet? Kopieer dan dit adres naar uw browser:',

  realTitle: 'Hoe u ziet dat dit bericht echt is',
  realAddress: 'De link leidt naar {host}. Uw browser toont precies die naam zodra de pagina open is.',
  realNothingElse: 'Er zijn geen bijlagen en u wordt nooit om een wachtwoord of om geld gevraagd.',
  realInDoubt: 'Twijfelt u? Vraag het dan eerst aan {organisation}, op een manier die u al kent.',

  codeSubject: '{organisation}: uw eenmalige code',
  codeHeadline: 'Vul deze code in op de pagina die u open hebt:',
  codeExpires: 'De code werkt één keer, tot {time}.',
  codeForYou: 'Geef de code aan niemand door, ook niet aan iemand die zegt voor {organisation} te werken.',
  codeNotAsked: 'Hebt u niet om een code gevraagd, dan hoeft u niets te doen.',

  canceledSubject: '{organisation}: ‘{subject}’ hoeft niet meer te worden ondertekend',
  canceledHeadline: '{organisation} heeft ‘{subject}’ ingetrokken.',
  declinedHeadline: '‘{subject}’ van {organisation} is beëindigd omdat iemand weigerde te ondertekenen.',
  expiredHeadline: '‘{subject}’ van {organisation} is verlopen omdat niet iedereen op tijd heeft ondertekend.',
  reason: 'Reden: {reason}',
  nothingToDo: 'U hoeft niets te doen. Uw persoonlijke link werkt niet meer.',

  completedSubject: '{organisation}: ‘{subject}’ is ondertekend',
  completedHeadline: 'Alle benodigde handtekeningen voor ‘{subject}’ zijn gezet en de documenten zijn verzegeld.',
  completedCopy: 'Hebt u een kopie van de ondertekende documenten nodig, vraag die dan aan {organisation}.',
  downloadButton: 'Documenten downloaden',

  accountSubject: '{organisation} nodigt u uit voor Countersign',
  accountHeadline: '{organisation} heeft een account voor u aangemaakt.',
  accountNext: 'Kies eerst een wachtwoord. De link werkt tot {deadline}.',
  resetSubject: 'Kies een nieuw wachtwoord voor Countersign',
  resetHeadline: 'Er is een nieuw wachtwoord aangevraagd voor uw account bij {organisation}.',
  resetNext:
    'Kies het via deze link, die werkt tot {deadline}. Was u het niet, dan hoeft u niets te doen: uw wachtwoord blijft zoals het is.',
  passwordButton: 'Wachtwoord kiezen',

  webhookSubject: '{organisation}: een webhook is uitgeschakeld',
  webhookHeadline: 'Countersign stuurt “{eventType}” niet meer naar {host}.',
  webhookGone: 'De ontvanger antwoordde dat hij niet meer bestaat (410).',
  webhookFailing: 'Vijf dagen lang is elke poging mislukt.',
  webhookNext:
    'Er is niets verloren: hervat het abonnement zodra de ontvanger weer werkt, en stuur opnieuw wat er intussen is gebeurd.',
  webhookId: 'Abonnement: {id}',

  smsInvitation: '{organisation} vraagt u om ‘{subject}’ te ondertekenen: {url}',
  smsReminder: 'Herinnering: {organisation} wacht op uw handtekening onder ‘{subject}’: {url}',
  smsDeadline: 'Tot {deadline}.',
  smsCode: '{code} is uw code voor {organisation}. De code werkt tot {time}. Geef hem aan niemand door.',
  smsEnded: '‘{subject}’ van {organisation} hoeft niet meer te worden ondertekend.',
  smsCompleted: '‘{subject}’ van {organisation} is ondertekend.',
}
