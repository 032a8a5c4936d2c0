import { useWords } from './words.ts'

export function Checking({ name }: { name: string }) {
  const { say } = useWords()
  return (
    <p className="waiting" role="status">
      <span className="turning" />
      <span>{say('checking', { name })}</span>
    </p>
  )
}
