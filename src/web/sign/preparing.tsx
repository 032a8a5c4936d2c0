import { useWords } from './words.ts'

export function Preparing() {
  const { say } = useWords()
  return (
    <p className="waiting" role="status">
      <span className="turning" />
      <span>{say('preparing')}</span>
    </p>
  )
}
