// Package check reads the deployment, template.yaml and the nested templates in
// infra/, as CloudFormation would, and holds it to what 08 promises. It is a
// module of its own so that the schemas it needs stay out of the product.
package check
