// Runs AWS's offline validator over templates: nothing that is wrong, and no
// warning without a waiver that says why it does not matter.
//
//   validate_test.js DEPLOYMENTS WAIVERS TEMPLATE [TEMPLATE_AGAIN...]
//
// DEPLOYMENTS has the parameters that every deployment must give, and those of
// deployments that differ in what they create. The first is validated in every deployment. The others say the same in
// another format (yaml_test.js holds them to it), so that it is enough that the
// validator understands them.
'use strict';

const fs = require('fs');
const {CelEngine, TemplateFile} = require('@aws/cloudformation-validate');

function matches(waiver, finding) {
  return waiver.rule === finding.ruleId &&
      waiver.entity === (finding.entity && finding.entity.logicalId) &&
      waiver.path === finding.propertyPath;
}

function describe(finding) {
  const place = [finding.entity && finding.entity.logicalId, finding.propertyPath];
  return `${finding.severity} ${finding.ruleId} ${place.filter(Boolean).join(' ')}: ` +
      finding.message;
}

function main([deploymentsFile, waiversFile, ...templates]) {
  const {required, deployments: variants} = JSON.parse(fs.readFileSync(deploymentsFile, 'utf8'));
  const waivers = JSON.parse(fs.readFileSync(waiversFile, 'utf8'));
  const failures = [];
  const used = new Set();
  for (const waiver of waivers) {
    if (!waiver.reason) failures.push(`the waiver of ${waiver.rule} gives no reason`);
  }
  // Of the two engines, which have the same rules, the faster one.
  const engine = new CelEngine();
  let resources = 0;
  const deployments = Object.entries(variants);
  for (const template of templates) {
    for (const [name, parameters] of template === templates[0] ? deployments : deployments.slice(0, 1)) {
      const report = engine.validateStandard(new TemplateFile(template), {
        severityLevel: 'WARN',
        parameterOverrides: {...required, ...parameters},
      });
      const where = `${template} ${name}`;
      resources = report.metadata.resourcesScanned;
      if (report.status !== 'OK') failures.push(`${where}: the validator says ${report.status}`);
      if (resources === 0) failures.push(`${where}: the validator saw no resource`);
      for (const finding of report.diagnostics) {
        const waiver = waivers.find((candidate) => matches(candidate, finding));
        if (waiver) {
          used.add(waiver);
        } else {
          failures.push(`${where}: ${describe(finding)}`);
        }
      }
    }
  }
  engine.free();
  for (const waiver of waivers) {
    if (!used.has(waiver)) {
      failures.push(`the waiver of ${waiver.rule} at ${waiver.entity} is not needed any more`);
    }
  }
  for (const failure of failures) console.error(failure);
  console.log(`${templates.length} templates of ${resources} resources, ` +
      `${deployments.length} deployments, ${used.size} waivers, ` +
      `${failures.length} failures`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

main(process.argv.slice(2));
