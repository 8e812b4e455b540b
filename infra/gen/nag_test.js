// Which findings of cdk-nag's AwsSolutionsChecks are accepted: those that it
// has, each with a reason, and no other. So a reviewer's run is clean, and stays
// so: for each rule that is accepted somewhere, this looks for what cdk-nag
// finds. (cdk-nag itself needs the CDK, which is larger than all other tools.)
//
//   nag_test.js TEMPLATE...
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');

// As cdk-nag has it.
const MIN_REASON_LENGTH = 10;

const list = (value) => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const isFunction = (value) => typeof value === 'object' && value !== null;

function all(template, type) {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}

function refersTo(value, id) {
  return value !== undefined && JSON.stringify(value).includes(`"${id}"`);
}

// The findings of AwsSolutions-IAM5, as cdk-nag words them.
function wildcards(properties) {
  const resources = list(properties.Policies)
      .flatMap((policy) => policy.PolicyDocument.Statement)
      .flatMap((statement) => list(statement.Resource));
  return resources.filter((resource) => JSON.stringify(resource).includes('*') && !resource['Fn::GetAtt'])
      .map((resource) => 'Resource::' + (typeof resource === 'string' ? resource : JSON.stringify(resource)));
}

// By rule: the type of resource, and whether cdk-nag finds something in one, or
// a list of what it finds. The last three must find nothing.
const RULES = {
  'AwsSolutions-IAM4': ['AWS::IAM::Role', (p) => list(p.ManagedPolicyArns).length > 0],
  'AwsSolutions-IAM5': ['AWS::IAM::Role', wildcards],
  'AwsSolutions-APIG3': ['AWS::ApiGateway::Stage', (p, id, template) =>
    all(template, 'AWS::WAFv2::WebACLAssociation').length === 0],
  'AwsSolutions-APIG4': ['AWS::ApiGateway::Method', (p) => p.AuthorizationType === 'NONE' && p.HttpMethod !== 'OPTIONS'],
  'AwsSolutions-COG4': ['AWS::ApiGateway::Method', (p) =>
    p.AuthorizationType !== 'COGNITO_USER_POOLS' && p.HttpMethod !== 'OPTIONS'],
  'AwsSolutions-SQS3': ['AWS::SQS::Queue', (p, id, template) => p.RedrivePolicy === undefined &&
    !all(template, 'AWS::SQS::Queue').some(([, queue]) => refersTo(queue.Properties.RedrivePolicy, id))],
  'AwsSolutions-RDS6': ['AWS::RDS::DBCluster', (p) => p.EnableIAMDatabaseAuthentication !== true],
  'AwsSolutions-RDS11': ['AWS::RDS::DBCluster', (p) => p.Port === undefined],
  'AwsSolutions-SMG4': ['AWS::SecretsManager::Secret', (p, id, template) =>
    !all(template, 'AWS::SecretsManager::RotationSchedule').some(([, r]) => refersTo(r.Properties.SecretId, id))],
  'AwsSolutions-COG2': ['AWS::Cognito::UserPool', (p) => p.MfaConfiguration !== 'ON'],
  'AwsSolutions-COG8': ['AWS::Cognito::UserPool', (p) => p.UserPoolTier !== 'PLUS'],
  'AwsSolutions-SF1': ['AWS::StepFunctions::StateMachine', (p) => (p.LoggingConfiguration || {}).Level !== 'ALL'],
  'AwsSolutions-SF2': ['AWS::StepFunctions::StateMachine', (p) => (p.TracingConfiguration || {}).Enabled !== true],
  'CdkNagValidationFailure': ['AWS::StepFunctions::StateMachine', (p) =>
    isFunction((p.TracingConfiguration || {}).Enabled)],
  'AwsSolutions-APIG2': ['AWS::ApiGateway::RestApi', (p, id, template) =>
    !all(template, 'AWS::ApiGateway::RequestValidator').some(([, {Properties: v}]) =>
      refersTo(v.RestApiId, id) && v.ValidateRequestBody && v.ValidateRequestParameters)],
  'AwsSolutions-APIG6': ['AWS::ApiGateway::Stage', (p) => !list(p.MethodSettings).some((s) =>
    s.HttpMethod === '*' && s.ResourcePath === '/*' && ['ERROR', 'INFO'].includes(s.LoggingLevel))],
  'Serverless-SNSRedrivePolicy': ['AWS::SNS::Subscription', (p) => p.RedrivePolicy === undefined],
};
const MENDED = ['AwsSolutions-APIG2', 'AwsSolutions-APIG6', 'Serverless-SNSRedrivePolicy'];

function covers(appliesTo, finding) {
  if (typeof appliesTo === 'string') return appliesTo === finding;
  return new RegExp(appliesTo.regex.slice(1, -1)).test(finding);
}

function accepts(accepted, found) {
  if (!accepted.applies_to) return found === true;
  return Array.isArray(found) &&
      found.every((finding) => accepted.applies_to.some((one) => covers(one, finding)));
}

function checkResource(template, id, resource) {
  const accepted = new Map();
  for (const one of ((resource.Metadata || {}).cdk_nag || {}).rules_to_suppress || []) {
    assert(RULES[one.id] && !MENDED.includes(one.id), `${id}: ${one.id} is not a rule that may be accepted`);
    assert(one.reason.length >= MIN_REASON_LENGTH, `${id}: no reason is given for ${one.id}`);
    const before = accepted.get(one.id);
    accepted.set(one.id, before ? {...one, applies_to: [...before.applies_to, ...one.applies_to]} : one);
  }
  let findings = 0;
  for (const [rule, [type, find]] of Object.entries(RULES)) {
    const found = resource.Type === type && find(resource.Properties || {}, id, template);
    const isFound = Array.isArray(found) ? found.length > 0 : found;
    const one = accepted.get(rule);
    assert(!isFound || one, `${id}: ${rule} finds something, and no reason says why that is accepted`);
    assert(isFound || !one, `${id}: ${rule} finds nothing that had to be accepted`);
    if (!isFound) continue;
    assert(accepts(one, found), `${id}: not all that ${rule} finds is accepted: ${found}`);
    for (const part of one.applies_to || []) {
      assert(found.some((finding) => covers(part, finding)), `${id}: ${rule} finds no ${JSON.stringify(part)}`);
    }
    ++findings;
  }
  return findings;
}

function main(files) {
  assert(files.length > 0, 'no template is given');
  for (const file of files) {
    const template = JSON.parse(fs.readFileSync(file, 'utf8'));
    let findings = 0;
    for (const [id, resource] of Object.entries(template.Resources)) {
      findings += checkResource(template, id, resource);
    }
    assert(findings > 0, `${file}: nothing was found`);
    for (const [id, dashboard] of all(template, 'AWS::CloudWatch::Dashboard')) {
      // Not every region knows them.
      assert.strictEqual(dashboard.Properties.Tags, undefined, `${id} has tags`);
    }
    console.log(`${path.basename(file)}: ${findings} findings are accepted`);
  }
}

main(process.argv.slice(2));
