// What in a document can act by itself or fetch from outside. It has no place in something that people sign: it could
// show one person another text than the next, or change the text after the signature.
import { entry, isName, type PdfDict, type PdfValue } from './value.ts'

export type ActiveContent =
  | 'JavaScript'
  | 'XFA forms'
  | 'actions that start programs'
  | 'actions that send or import form data'
  | 'embedded media'
  | 'content from outside of the file'

/** Action types (ISO 32000-2, 12.6.4) that act on more than the view. */
const ACTIONS: Readonly<Record<string, ActiveContent>> = {
  JavaScript: 'JavaScript',
  Launch: 'actions that start programs',
  SubmitForm: 'actions that send or import form data',
  ImportData: 'actions that send or import form data',
  Rendition: 'embedded media',
  RichMediaExecute: 'embedded media',
  Movie: 'embedded media',
  Sound: 'embedded media',
}

const ANNOTATIONS: Readonly<Record<string, ActiveContent>> = {
  RichMedia: 'embedded media',
  Movie: 'embedded media',
  Screen: 'embedded media',
  Sound: 'embedded media',
}

/**
 * Adds to `found` what an object holds, not following references: each object is looked at on its own. Answers with the
 * number of values that it looked at.
 */
export function collectActiveContent(value: PdfValue, found: Set<ActiveContent>): number {
  if (value.kind === 'array') {
    return value.items.reduce((values, item) => values + collectActiveContent(item, found), 1)
  }
  if (value.kind === 'stream') {
    // 7.3.8.2: /F of a stream names a file that holds its data. /Ref of a form draws a page of another document.
    if (value.dict.entries.has('F') || value.dict.entries.has('Ref')) found.add('content from outside of the file')
    return 1 + collectFromDict(value.dict, found)
  }
  return value.kind === 'dict' ? collectFromDict(value, found) : 1
}

function collectFromDict(dict: PdfDict, found: Set<ActiveContent>): number {
  if (dict.entries.has('JS') || dict.entries.has('OnInstantiate')) found.add('JavaScript')
  if (dict.entries.has('XFA')) found.add('XFA forms')
  addNamed(ACTIONS, entry(dict, 'S'), found)
  if (isName(entry(dict, 'Type'), 'Annot') || dict.entries.has('Rect'))
    addNamed(ANNOTATIONS, entry(dict, 'Subtype'), found)
  let values = 1
  for (const { value } of dict.entries.values()) values += collectActiveContent(value, found)
  return values
}

function addNamed(
  kinds: Readonly<Record<string, ActiveContent>>,
  name: PdfValue | undefined,
  found: Set<ActiveContent>,
): void {
  if (name?.kind !== 'name' || !Object.hasOwn(kinds, name.value)) return
  found.add(kinds[name.value] as ActiveContent)
}
