// What `byoshin --version` and `serve --version` print.
#ifndef BYOSHIN_LOCAL_VERSION_H_
#define BYOSHIN_LOCAL_VERSION_H_

namespace byoshin::local {

// Of the whole repository, https://semver.org; CHANGELOG.md says what it has.
inline constexpr char kVersion[] = "0.1.0";

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_VERSION_H_
