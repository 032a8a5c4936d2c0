// Every page of the console and its address. Each is loaded when somebody goes there.
import type { PageComponent } from './page-props.ts'

export type PageEntry = {
  /** With :name for what varies. */
  path: string
  load: () => Promise<PageComponent>
}

export const PAGES: PageEntry[] = [
  { path: '/console', load: async () => (await import('./overview/overview.tsx')).Overview },
  { path: '/console/requests', load: async () => (await import('./requests/request-list.tsx')).RequestList },
  { path: '/console/requests/new', load: async () => (await import('./requests/new-request.tsx')).NewRequest },
  { path: '/console/requests/:id/change', load: async () => (await import('./requests/new-request.tsx')).ChangeDraft },
  { path: '/console/requests/:id', load: async () => (await import('./requests/request.tsx')).Request },
  { path: '/console/sealing', load: async () => (await import('./sealing/sealing-requests.tsx')).SealingRequests },
  { path: '/console/sealing/new', load: async () => (await import('./sealing/new-sealing.tsx')).NewSealing },
  { path: '/console/sealing/:id', load: async () => (await import('./sealing/sealing-request.tsx')).SealingRequest },
  {
    path: '/console/templates',
    load: async () => (await import('./templates/document-templates.tsx')).DocumentTemplates,
  },
  {
    path: '/console/templates/requests',
    load: async () => (await import('./templates/request-templates.tsx')).RequestTemplates,
  },
  {
    path: '/console/templates/requests/new',
    load: async () => (await import('./templates/request-template.tsx')).NewRequestTemplate,
  },
  {
    path: '/console/templates/requests/:id',
    load: async () => (await import('./templates/request-template.tsx')).RequestTemplate,
  },
  { path: '/console/people', load: async () => (await import('./people/departments.tsx')).Departments },
  { path: '/console/people/departments/:id', load: async () => (await import('./people/department.tsx')).Department },
  { path: '/console/people/users', load: async () => (await import('./people/users.tsx')).Users },
  { path: '/console/people/organisation', load: async () => (await import('./people/organisation.tsx')).Organisation },
  { path: '/console/integrations', load: async () => (await import('./integrations/keys.tsx')).Keys },
  { path: '/console/integrations/webhooks', load: async () => (await import('./integrations/webhooks.tsx')).Webhooks },
  {
    path: '/console/integrations/webhooks/:id',
    load: async () => (await import('./integrations/webhook.tsx')).Webhook,
  },
  { path: '/console/integrations/api', load: async () => (await import('./integrations/api-page.tsx')).ApiPage },
  { path: '/console/messages', load: async () => (await import('./messages/messages.tsx')).Messages },
  { path: '/console/certificates', load: async () => (await import('./certificates/certificates.tsx')).Certificates },
  { path: '/console/archive', load: async () => (await import('./archive/archive.tsx')).ArchiveOfSignatures },
  { path: '/console/archive/sealing', load: async () => (await import('./archive/archive.tsx')).ArchiveOfSeals },
  { path: '/console/activity', load: async () => (await import('./activity/activity.tsx')).Activity },
  { path: '/console/first-steps', load: async () => (await import('./first-steps/first-steps.tsx')).FirstSteps },
  { path: '/console/account', load: async () => (await import('./account/account.tsx')).Account },
]

/** Pages for people who are not signed in. */
export const OPEN_PAGES: PageEntry[] = [
  { path: '/console/password', load: async () => (await import('./sign-in/set-password.tsx')).SetPassword },
  { path: '/console/forgot', load: async () => (await import('./sign-in/forgot-password.tsx')).ForgotPassword },
]
