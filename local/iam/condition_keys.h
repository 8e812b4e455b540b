// The condition keys that the local cloud knows the values of.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
#ifndef BYOSHIN_LOCAL_IAM_CONDITION_KEYS_H_
#define BYOSHIN_LOCAL_IAM_CONDITION_KEYS_H_

namespace byoshin::local::iam {

// "true", although the local cloud speaks HTTP: nothing leaves the machine.
inline constexpr char kSecureTransportKey[] = "aws:SecureTransport";
// The account of who asks. Absent if a service asks.
inline constexpr char kPrincipalAccountKey[] = "aws:PrincipalAccount";
// The account of the resource that a service acts for. Absent if no service
// asks.
inline constexpr char kSourceAccountKey[] = "aws:SourceAccount";
// The resource that a service acts for. Absent if no service asks, and where
// the local cloud can't tell it: when a function's role is assumed.
inline constexpr char kSourceArnKey[] = "aws:SourceArn";

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_CONDITION_KEYS_H_
