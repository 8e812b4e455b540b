// The condition keys that the local cloud supports.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
#ifndef BYOSHIN_LOCAL_IAM_CONDITION_KEYS_H_
#define BYOSHIN_LOCAL_IAM_CONDITION_KEYS_H_

namespace byoshin::local::iam {

// "true", although the local cloud uses HTTP: requests don't leave the machine.
inline constexpr char kSecureTransportKey[] = "aws:SecureTransport";
// The caller's account. Absent if a service calls.
inline constexpr char kPrincipalAccountKey[] = "aws:PrincipalAccount";
// The account of the resource that a service acts for. Absent if no service
// calls.
inline constexpr char kSourceAccountKey[] = "aws:SourceAccount";
// The resource that a service acts for. Absent if no service calls, and when a
// function's role is assumed.
inline constexpr char kSourceArnKey[] = "aws:SourceArn";

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_CONDITION_KEYS_H_
