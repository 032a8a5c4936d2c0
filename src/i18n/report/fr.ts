import type { ReportTexts } from './en.ts'

export const fr: ReportTexts = {
  title: 'Signaler ce message',
  when: 'Signalez-le si vous ne connaissez pas l’expéditeur ou si vous pensez que ce message cherche à vous tromper.',
  what: 'L’exploitant de ce service et les administrateurs de l’organisation de l’expéditeur verront votre signalement, et vous ne recevrez plus de messages au sujet de cette demande.',
  button: 'Signaler le message',
  open: 'Je connais l’expéditeur, ouvrir la demande',
  doneTitle: 'Message signalé',
  doneText: 'Merci. Vous ne recevrez plus de messages au sujet de cette demande.',
  doneNext:
    'Vous n’avez rien d’autre à faire. N’ouvrez pas les documents d’un expéditeur en qui vous n’avez pas confiance.',
}
