// Runs once before the tests of a process, in that process: what it leaves in the environment, every test file sees.
import { TEST_CLUSTER_VARIABLE, startTestCluster } from './cluster.ts'

let stopCluster = () => {}

export async function globalSetup(): Promise<void> {
  const { cluster, stop } = await startTestCluster()
  stopCluster = stop
  process.env[TEST_CLUSTER_VARIABLE] = JSON.stringify(cluster)
}

export function globalTeardown(): void {
  stopCluster()
}
