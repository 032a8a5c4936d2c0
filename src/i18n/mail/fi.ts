import type { MailTexts } from './en.ts'

export const fi: MailTexts = {
  greeting: 'Hei {name}!',
  greetingWithoutName: 'Hei!',
  sentBy: 'Lähettäjä: {sender}.',
  footer: 'Lähetetty Countersign-palvelulla. Lähettäjän organisaatio: {organisation}.',

  invitationSubject: '{organisation}: allekirjoita ”{subject}”',
  invitationHeadline: '{organisation} pyytää sinua allekirjoittamaan: ”{subject}”.',
  reminderSubject: 'Muistutus, {organisation}: ”{subject}” odottaa allekirjoitustasi',
  reminderHeadline: '{organisation} odottaa edelleen allekirjoitustasi: ”{subject}”.',
  deadline: 'Voit allekirjoittaa {deadline} asti.',
  signButton: 'Lue ja allekirjoita',
  howToDecline:
    'Jos et halua allekirjoittaa, avaa sama sivu ja valitse ”Kieltäydy allekirjoittamasta”. Voit samalla kertoa syyn.',
  linkIsYours: 'Linkki on tarkoitettu vain sinulle. Älä välitä tätä viestiä eteenpäin.',
  reportLink: 'Etkö tunne lähettäjää? Ilmoita tästä viestistä',
  copyAddress: 'Jos painike ei toimi, kopioi tämä osoite selaimeesi:',

  realTitle: 'Näin tunnistat, että viesti on aito',
  realAddress: 'Linkki johtaa osoitteeseen {host}. Selaimesi näyttää täsmälleen tämän nimen, kun sivu on auki.',
  realNothingElse: 'Viestissä ei ole liitteitä, eikä sinulta koskaan pyydetä salasanaa tai rahaa.',
  realInDoubt: 'Jos epäilet viestin aitoutta, kysy ensin lähettäjältä ({organisation}) ennestään tuntemallasi tavalla.',

  codeSubject: '{organisation}: kertakäyttökoodisi',
  codeHeadline: 'Kirjoita tämä koodi sivulle, joka sinulla on auki:',
  codeExpires: 'Koodi toimii yhden kerran, kello {time} asti.',
  codeForYou: 'Älä kerro koodia kenellekään, vaikka kysyjä sanoisi edustavansa organisaatiota {organisation}.',
  codeNotAsked: 'Jos et ole pyytänyt koodia, sinun ei tarvitse tehdä mitään.',

  canceledSubject: '{organisation}: ”{subject}” ei enää odota allekirjoitusta',
  canceledHeadline: '{organisation} on perunut allekirjoituspyynnön ”{subject}”.',
  declinedHeadline:
    'Allekirjoituspyyntö ”{subject}” ({organisation}) on päättynyt, koska joku kieltäytyi allekirjoittamasta.',
  expiredHeadline:
    'Allekirjoituspyyntö ”{subject}” ({organisation}) on vanhentunut, koska kaikki eivät allekirjoittaneet ajoissa.',
  reason: 'Syy: {reason}',
  nothingToDo: 'Sinun ei tarvitse tehdä mitään. Henkilökohtainen linkkisi ei enää toimi.',

  completedSubject: '{organisation}: ”{subject}” on allekirjoitettu',
  completedHeadline: 'Kaikki tarvittavat allekirjoitukset on saatu: ”{subject}”. Asiakirjat on sinetöity.',
  completedCopy: 'Jos tarvitset kopion allekirjoitetuista asiakirjoista, pyydä se lähettäjältä ({organisation}).',
  downloadButton: 'Lataa asiakirjat',

  accountSubject: '{organisation} kutsuu sinut käyttämään Countersignia',
  accountHeadline: '{organisation} on luonut sinulle käyttäjätilin.',
  accountNext: 'Aloita valitsemalla salasana. Linkki toimii {deadline} asti.',
  resetSubject: 'Valitse uusi salasana Countersigniin',
  resetHeadline: 'Käyttäjätilillesi ({organisation}) on pyydetty uutta salasanaa.',
  resetNext:
    'Valitse se tämän linkin kautta. Linkki toimii {deadline} asti. Jos et pyytänyt sitä itse, sinun ei tarvitse tehdä mitään: salasanasi pysyy ennallaan.',
  passwordButton: 'Valitse salasana',

  webhookSubject: '{organisation}: webhook on poistettu käytöstä',
  webhookHeadline: 'Countersign on lopettanut tapahtuman ”{eventType}” lähettämisen osoitteeseen {host}.',
  webhookGone: 'Vastaanottaja ilmoitti, että se on poistunut pysyvästi (410).',
  webhookFailing: 'Viiden päivän ajan jokainen lähetys on epäonnistunut.',
  webhookNext:
    'Mitään ei ole kadonnut: kun vastaanottaja toimii taas, jatka tilausta ja lähetä välillä tapahtunut uudelleen.',
  webhookId: 'Tilaus: {id}',

  smsInvitation: '{organisation} pyytää sinua allekirjoittamaan ”{subject}”: {url}',
  smsReminder: 'Muistutus: {organisation} odottaa allekirjoitustasi, ”{subject}”: {url}',
  smsDeadline: 'Voimassa {deadline} asti.',
  smsCode: '{code} on koodisi ({organisation}). Se toimii kello {time} asti. Älä kerro sitä kenellekään.',
  smsEnded: '”{subject}” ({organisation}) ei enää odota allekirjoitustasi.',
  smsCompleted: '”{subject}” ({organisation}) on allekirjoitettu.',
}
