// The inside of an engine. For this folder alone.
#ifndef BYOSHIN_LOCAL_JAVASCRIPT_IMPLEMENTATION_H_
#define BYOSHIN_LOCAL_JAVASCRIPT_IMPLEMENTATION_H_

#include <map>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "local/javascript/budget.h"
#include "local/javascript/engine.h"
#include "local/javascript/quickjs_api.h"

namespace byoshin::local::javascript {

class Engine::Implementation {
 public:
  Implementation(Engine& engine, EngineOptions options);
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;
  ~Implementation();

  static Implementation& Of(JSContext* context) {
    return *static_cast<Implementation*>(JS_GetContextOpaque(context));
  }

  // A call from outside, unless one is under way.
  class Scope {
   public:
    explicit Scope(Implementation& implementation);
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { --implementation_.nesting_; }

   private:
    Implementation& implementation_;
  };

  // The outcome of `result`, which this takes over: runs jobs and waits for a
  // promise if no script is running.
  Outcome Finish(JSValue result);
  // What was thrown.
  Exception TakeException();
  JSModuleDef* LoadModule(const char* name);
  JSValue ThrowInterrupted();
  Location Caller();

  Engine& engine;
  const EngineOptions options;
  Limits limits = options.limits;
  Budget budget;
  JSRuntime* runtime = nullptr;
  JSContext* context = nullptr;
  std::map<std::string, Members> modules;
  // The language's own, which scripts can't replace.
  JSValue date = JS_UNDEFINED;
  JSValue error = JS_UNDEFINED;

 private:
  Exception Describe(JSValue thrown);
  // False if a job threw.
  bool RunJobs();

  int nesting_ = 0;
};

// Registers the classes of host objects and functions.
void RegisterHostClasses(JSRuntime* runtime);
JSValue NewHostFunction(JSContext* context, absl::string_view name,
                        Engine::Function function);
JSValue NewHostObject(JSContext* context,
                      std::shared_ptr<const HostObject> object);

// Replaces Date and Math.random(), and adds `console`.
void Furnish(Engine::Implementation& implementation);

}  // namespace byoshin::local::javascript

#endif  // BYOSHIN_LOCAL_JAVASCRIPT_IMPLEMENTATION_H_
