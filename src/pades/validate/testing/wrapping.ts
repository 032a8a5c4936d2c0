// Signature wrapping: keep the signed bytes, but move them or use the gap that is not signed.
import { makePdf } from '../../testing/documents.ts'
import { appendUpdate, findSignature, objectText, streamBody, type Attack, type Scene } from './attack.ts'

/** Files whose signed bytes are all there, with something between or around them. */
export async function wrappings({ world }: Scene): Promise<Attack[]> {
  const twin = await world.sign(makePdf(), { signer: await world.signatory(), level: 'B-T' })
  const { start, end, number } = findSignature(twin)
  const hex = twin.toString('latin1', start + 1, end - 1)
  const cms = hex.replace(/(?:00)*$/, '')
  const room = end - start
  const gap = (text: string) =>
    Buffer.concat([
      twin.subarray(0, start),
      Buffer.from(text.padEnd(room).slice(0, room), 'latin1'),
      twin.subarray(end),
    ])
  const evil = `4 0 obj\n${streamBody('0 g 0 0 600 900 re f')}\nendobj\n`
  const withObject = gap(`<${cms}>\n${evil}`)
  const objectAt = start + cms.length + 3
  const moved = (dictionary: string) =>
    appendUpdate(twin, {
      objects: { 4: streamBody('0 g 0 0 600 900 re f'), [number]: dictionary },
    })
  const dictionary = objectText(twin, number)
  const [, , after = 0, rest = 0] = (/\[([\d ]+)\]/.exec(dictionary)?.[1] ?? '').split(' ').map(Number)
  const range = (numbers: string) => dictionary.replace(/\/ByteRange \[[\d ]+\]/, `/ByteRange [${numbers}]`)
  const inserted = Buffer.from(evil, 'latin1')
  const files: Record<string, Buffer> = {
    'spaces behind the contents': gap(`<${cms}>`),
    'an object behind the contents': withObject,
    'an object behind the contents, in use': appendUpdate(withObject, { entries: { 4: objectAt } }),
    'spaces within the contents': gap(`<${cms} ${' '.repeat(room - cms.length - 3)}>`),
    'a remark behind the contents': gap(`<${cms}>%${evil.replaceAll('\n', ' ')}`),
    'a second string behind the contents': gap(`<${cms}><${'41'.repeat(100)}>`),
    'the second part moved away': Buffer.concat([twin.subarray(0, end), inserted, twin.subarray(end)]),
    'the signature copied with another range': moved(range(`0 ${start} ${after} ${rest}`)),
    'the signature copied with a range that reaches further': moved(range(`0 ${start} ${after} ${rest + 50}`)),
    'the first part cut short': moved(range(`0 ${start - 10} ${after} ${rest}`)),
    'something before the first line': Buffer.concat([Buffer.from('%!\n'), twin]),
  }
  return Object.entries(files).map(([name, attack]) => ({ name, attack, twin }))
}
