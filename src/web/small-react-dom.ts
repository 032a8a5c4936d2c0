// Stands for 'react-dom/client' in the pages.
import { render, type ComponentChild } from 'preact'

export function createRoot(container: Element): { render(node: ComponentChild): void } {
  return { render: (node) => render(node, container) }
}
