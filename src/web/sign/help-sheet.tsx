import { Sheet } from '../ui/sheet.tsx'
import type { SigningRequest } from './signer-api.ts'
import { useWords } from './words.ts'

export function HelpSheet({ request, onClose }: { request: SigningRequest | undefined; onClose: () => void }) {
  const { say, moment } = useWords()
  const organisation = request?.sender?.organisation ?? say('somebody')
  return (
    <Sheet title={say('helpTitle')} closeLabel={say('close')} onClose={onClose}>
      <p>{say('helpWhat', { organisation })}</p>
      <p>{say('helpLater')}</p>
      {request?.expirationDate && <p>{say('signUntil', { deadline: moment(request.expirationDate) })}</p>}
      <p>{say('helpYours')}</p>
      <p>{say('helpInDoubt', { organisation })}</p>
    </Sheet>
  )
}
