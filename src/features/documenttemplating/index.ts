export { findRequestTemplate } from './find-request-template.ts'
export { countTemplatesOfDepartments, hideTemplatesOfDepartments } from './hide-templates.ts'
export type { SealingTemplateFields, SignatureTemplateFields, TemplatePlacement } from './request-template.ts'
