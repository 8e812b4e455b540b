// The users of the database other than its owner: a migration makes them, and
// their passwords are those of secrets.
//
//   DatabaseUsers users(database, secrets,
//                       {{.name = kReaderUser, .secret_arn = arn}});
//   absl::Status status = users.SetPasswords(deadline);
#ifndef BYOSHIN_CORE_GENERATION_DATABASE_USERS_H_
#define BYOSHIN_CORE_GENERATION_DATABASE_USERS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/aws/secretsmanager/client.h"
#include "core/generation/sql.h"

namespace byoshin::generation {

struct DatabaseUser {
  std::string name{};
  // Of a secret with "username", this name, and "password".
  std::string secret_arn{};
};

// Not thread-safe. The database and the client must outlive it.
class DatabaseUsers {
 public:
  DatabaseUsers(SqlDatabase& database, aws::secretsmanager::Client& secrets,
                std::vector<DatabaseUser> users)
      : database_(database), secrets_(secrets), users_(std::move(users)) {}

  // Gives every user the password in its secret. FailedPrecondition if a secret
  // is another user's or has no password; other errors are those of the
  // database and of Secrets Manager. No password is in a message, in the SQL
  // that is sent, or in PostgreSQL's log of a statement that failed. It is a
  // parameter: a server that logs those (log_statement) has it in its log.
  absl::Status SetPasswords(absl::Time deadline);

 private:
  absl::Status SetPassword(const DatabaseUser& user, absl::Time deadline);

  SqlDatabase& database_;
  aws::secretsmanager::Client& secrets_;
  const std::vector<DatabaseUser> users_;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_DATABASE_USERS_H_
