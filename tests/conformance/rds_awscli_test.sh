#!/bin/bash
# The AWS CLI describes and changes a cluster that a template has made.
#   rds_awscli_test.sh BYOSHIN AWS TEMPLATE
set -euo pipefail
source tests/conformance/awscli.sh

aws_program=$PWD/$2
start_up "$PWD/$1" --in-memory --template="$3"
rds() { aws rds "$@"; }

expect "the cluster" $'orders\tavailable\taurora-postgresql\t5432' \
  "$(rds describe-db-clusters --query 'DBClusters[].[DBClusterIdentifier,Status,Engine,Port]')"
expect "the instance" $'orders-writer\tdb.serverless' \
  "$(rds describe-db-instances --query 'DBInstances[].[DBInstanceIdentifier,DBInstanceClass]')"
expect "the subnet group" inner \
  "$(rds describe-db-subnet-groups --query 'DBSubnetGroups[].DBSubnetGroupName')"
expect "the tags" $'team\tshop' \
  "$(rds list-tags-for-resource --resource-name arn:aws:rds:us-east-1:000000000000:cluster:orders \
    --query 'TagList[].[Key,Value]')"
expect "the new capacity" $'1.0\t8.0' \
  "$(rds modify-db-cluster --db-cluster-identifier orders \
    --serverless-v2-scaling-configuration MinCapacity=1,MaxCapacity=8 \
    --query 'DBCluster.ServerlessV2ScalingConfiguration.[MinCapacity,MaxCapacity]')"
expect_error "a missing cluster" 'DBClusterNotFoundFault.*DBCluster missing not found' \
  rds describe-db-clusters --db-cluster-identifier missing
