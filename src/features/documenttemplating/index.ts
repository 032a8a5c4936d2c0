export { findRequestTemplate } from './find-request-template.ts'
export { hideTemplatesOfDepartments } from './hide-templates.ts'
export type { SealingTemplateFields, SignatureTemplateFields, TemplatePlacement } from './request-template.ts'
