// The errors of the Data API.
// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/CommonErrors.html
#ifndef BYOSHIN_LOCAL_RDSDATA_ERRORS_H_
#define BYOSHIN_LOCAL_RDSDATA_ERRORS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::rdsdata {

absl::Status BadRequest(absl::string_view message);
// All connections to the cluster were in use for too long.
absl::Status ConnectionTimeout();
absl::Status Validation(absl::string_view message);
absl::Status DatabaseError(absl::string_view message);
absl::Status DatabaseUnavailable(absl::string_view message);
absl::Status HttpEndpointNotEnabled(absl::string_view resource_arn);
absl::Status InvalidResourceState(absl::string_view message);
absl::Status InvalidSecret(absl::string_view message);
absl::Status SecretsError(absl::string_view message);
absl::Status StatementTimeout(int connection_id);
absl::Status TransactionNotFound(absl::string_view id);
absl::Status TransactionBusy();
absl::Status UnsupportedResult(absl::string_view message);
absl::Status ResultTooLarge();

// An error of the server in the words of the Data API, "ERROR: relation \"x\"
// does not exist; Position: 15; SQLState: 42P01", or the loss of the
// connection.
absl::Status FromPostgres(const absl::Status& status);

// Why a connection could not be opened: an error of rds::Clusters or of
// postgres_client::Connection.
absl::Status FromConnecting(const absl::Status& status);

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_ERRORS_H_
