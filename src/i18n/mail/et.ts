import type { MailTexts } from './en.ts'

export const et: MailTexts = {
  greeting: 'Tere, {name}!',
  greetingWithoutName: 'Tere!',
  sentBy: 'Saatja: {sender}.',
  footer: 'Saadetud Countersigni kaudu. Saatja organisatsioon: {organisation}.',

  invitationSubject: '{organisation}: palun allkirjastage „{subject}“',
  invitationHeadline: '{organisation} palub teil allkirjastada: „{subject}“.',
  reminderSubject: 'Meeldetuletus, {organisation}: „{subject}“ ootab teie allkirja',
  reminderHeadline: '{organisation} ootab endiselt teie allkirja: „{subject}“.',
  deadline: 'Saate allkirjastada kuni {deadline}.',
  signButton: 'Loe ja allkirjasta',
  howToDecline:
    'Kui te ei soovi allkirjastada, avage sama leht ja valige „Keeldu allkirjastamast“. Soovi korral saate põhjendada.',
  linkIsYours: 'Link on mõeldud ainult teile. Palun ärge edastage seda sõnumit.',
  reportLink: 'Kas te ei tunne saatjat? Teatage sellest sõnumist',
  copyAddress: 'Kui nupp ei tööta, kopeerige see aadress brauserisse:',

  realTitle: 'Kuidas veenduda, et sõnum on ehtne',
  realAddress: 'Link viib aadressile {host}. Kui leht on avatud, näitab brauser täpselt seda nime.',
  realNothingElse: 'Sõnumil pole manuseid ning teilt ei küsita kunagi parooli ega raha.',
  realInDoubt: 'Kahtluse korral küsige esmalt saatjalt ({organisation}) teile juba tuttaval viisil.',

  codeSubject: '{organisation}: teie ühekordne kood',
  codeHeadline: 'Sisestage see kood lehel, mis teil on avatud:',
  codeExpires: 'Kood kehtib üks kord, kuni kella {time}.',
  codeForYou: 'Ärge öelge seda kellelegi, isegi kui küsija väidab, et esindab organisatsiooni {organisation}.',
  codeNotAsked: 'Kui te ei ole koodi küsinud, ei pea te midagi tegema.',

  canceledSubject: '{organisation}: „{subject}“ ei vaja enam allkirja',
  canceledHeadline: '{organisation} on allkirjastamistaotluse „{subject}“ tagasi võtnud.',
  declinedHeadline:
    'Allkirjastamistaotlus „{subject}“ ({organisation}) on lõppenud, sest keegi keeldus allkirjastamast.',
  expiredHeadline:
    'Allkirjastamistaotlus „{subject}“ ({organisation}) on aegunud, sest kõik ei allkirjastanud õigel ajal.',
  reason: 'Põhjus: {reason}',
  nothingToDo: 'Te ei pea midagi tegema. Teie isiklik link enam ei tööta.',

  completedSubject: '{organisation}: „{subject}“ on allkirjastatud',
  completedHeadline: 'Kõik vajalikud allkirjad on olemas: „{subject}“. Dokumendid on pitseeritud.',
  completedCopy: 'Kui vajate allkirjastatud dokumentide koopiat, küsige seda saatjalt ({organisation}).',
  downloadButton: 'Laadi dokumendid alla',

  accountSubject: '{organisation} kutsub teid kasutama Countersigni',
  accountHeadline: '{organisation} on loonud teile konto.',
  accountNext: 'Alustamiseks valige parool. Link töötab kuni {deadline}.',
  resetSubject: 'Valige Countersigni uus parool',
  resetHeadline: 'Teie kontole organisatsioonis {organisation} on küsitud uut parooli.',
  resetNext:
    'Valige see lingi kaudu, mis töötab kuni {deadline}. Kui see ei olnud teie, ärge tehke midagi: teie parool jääb samaks.',
  passwordButton: 'Vali parool',

  webhookSubject: '{organisation}: veebihaak lülitati välja',
  webhookHeadline: 'Countersign ei saada enam sündmust „{eventType}“ aadressile {host}.',
  webhookGone: 'Vastuvõtja vastas, et teda enam ei ole (410).',
  webhookFailing: 'Viie päeva jooksul ebaõnnestus iga katse.',
  webhookNext: 'Midagi pole kadunud: kui vastuvõtja jälle töötab, jätka tellimust ja saada vahepeal toimunu uuesti.',
  webhookId: 'Tellimus: {id}',

  smsInvitation: '{organisation} palub teil allkirjastada „{subject}“: {url}',
  smsReminder: 'Meeldetuletus: {organisation} ootab teie allkirja, „{subject}“: {url}',
  smsDeadline: 'Tähtaeg: {deadline}.',
  smsCode: '{code} on teie kood ({organisation}). See kehtib kuni kella {time}. Ärge öelge seda kellelegi.',
  smsEnded: '„{subject}“ ({organisation}) ei vaja enam teie allkirja.',
  smsCompleted: '„{subject}“ ({organisation}) on allkirjastatud.',
}
