// Explains every revision after the first signature, by whitelist: what no rule explains is a change.
import { explainCatalog, explainInformation } from './catalog-rules.ts'
import { explainAnnotationLists, explainPages } from './form-rules.ts'
import type { Inventory } from './inventory.ts'
import { readStep, type StepResult } from './step.ts'
import { explainBytes, explainStructureStreams, explainTrailer, refuseTheRest } from './structure-rules.ts'

/** One result for each revision after the one given, oldest first. */
export async function explainRevisions(inventory: Inventory, from: number, bytes: Buffer): Promise<StepResult[]> {
  const results: StepResult[] = []
  for (let index = from + 1; index < inventory.views.length; index++) {
    results.push(await explainRevision(inventory, index, bytes))
  }
  return results
}

async function explainRevision(inventory: Inventory, index: number, bytes: Buffer): Promise<StepResult> {
  const step = await readStep(inventory, index)
  explainTrailer(step)
  await explainBytes(step, bytes)
  await explainStructureStreams(step)
  await explainCatalog(step)
  await explainPages(step)
  await explainAnnotationLists(step)
  await explainInformation(step)
  refuseTheRest(step)
  const { additions, filledFields, coveringFields, problems } = step
  return { revision: index, additions, filledFields, coveringFields, problems }
}
