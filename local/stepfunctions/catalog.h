// The state machines, their revisions, versions and aliases, and the
// activities: in memory, and in the store.
//
//   Catalog catalog(store, compiler);
//   if (absl::Status loaded = catalog.Load(); !loaded.ok()) return loaded;
//   absl::StatusOr<Started> target = catalog.Resolve(arn, random);
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_CATALOG_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_CATALOG_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/expression.h"
#include "local/store/store.h"

namespace byoshin::local::stepfunctions {

// What an execution is to be started of: the ARN of a state machine, a version
// or an alias, resolved.
struct StartTarget {
  const kept::Machine* machine = nullptr;
  const kept::Revision* revision = nullptr;
  // Empty unless the ARN names a version or an alias.
  std::string version_arn{};
  std::string alias_arn{};
};

// Not thread-safe: belongs to the loop of the store. A change is written to the
// store at once, for the loop to commit.
class Catalog {
 public:
  // Both outlive it. `compiler` may be null: then JSONata is refused.
  Catalog(Store& store, ExpressionCompiler* compiler)
      : store_(store), compiler_(compiler) {}

  // Reads all again, also after a rollback.
  absl::Status Load();

  const std::map<std::string, kept::Machine>& machines() const {
    return machines_;
  }
  // Null if there is none.
  const kept::Machine* FindMachine(const std::string& arn) const;
  void PutMachine(kept::Machine machine);
  // With its versions and aliases. `arn` must not be the machine's own.
  void RemoveMachine(const std::string& arn);

  // Null if there is none.
  const kept::Revision* FindRevision(const std::string& key) const;
  void PutRevision(kept::Revision revision,
                   std::shared_ptr<const StateMachine> definition);
  // Parsed when it is first needed.
  absl::StatusOr<std::shared_ptr<const StateMachine>> DefinitionOf(
      const kept::Revision& revision);
  // Removes those that no machine or version has, and that `used` does not
  // want. For the start: executions refer to old revisions.
  void RemoveRevisionsUnless(
      const std::function<bool(const std::string& key)>& used);

  // InvalidDefinition if the text can't be a state machine.
  absl::StatusOr<std::shared_ptr<const StateMachine>> Parse(
      absl::string_view definition, kept::Type type) const;
  // The same, with warnings.
  ParsedDefinition ParseAll(absl::string_view definition,
                            kept::Type type) const;
  ExpressionCompiler* compiler() const { return compiler_; }

  // By their number, ascending.
  std::vector<const kept::Version*> VersionsOf(
      const std::string& machine_arn) const;
  const kept::Version* FindVersion(const std::string& arn) const;
  void PutVersion(kept::Version version);
  void RemoveVersion(const std::string& arn);

  // By their names.
  std::vector<const kept::Alias*> AliasesOf(
      const std::string& machine_arn) const;
  const kept::Alias* FindAlias(const std::string& arn) const;
  void PutAlias(kept::Alias alias);
  void RemoveAlias(const std::string& arn);

  const std::map<std::string, kept::Activity>& activities() const {
    return activities_;
  }
  const kept::Activity* FindActivity(const std::string& arn) const;
  void PutActivity(kept::Activity activity);
  void RemoveActivity(const std::string& arn);

  // StateMachineDoesNotExist or InvalidArn. Of an alias with two versions,
  // `percentile`, from 0 to 99, decides.
  absl::StatusOr<StartTarget> Resolve(absl::string_view arn,
                                      int percentile) const;

 private:
  struct RevisionEntry {
    kept::Revision kept{};
    std::shared_ptr<const StateMachine> definition{};
  };

  Store& store_;
  ExpressionCompiler* const compiler_;
  // By ARN.
  std::map<std::string, kept::Machine> machines_;
  std::map<std::string, kept::Version> versions_;
  std::map<std::string, kept::Alias> aliases_;
  std::map<std::string, kept::Activity> activities_;
  std::map<std::string, RevisionEntry> revisions_;  // by key
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_CATALOG_H_
