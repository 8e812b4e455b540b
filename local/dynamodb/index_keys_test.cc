// The keys of indexes: of several attributes, and of items that were there
// before the index.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/dynamodb/testing/service.h"

namespace byoshin::local::dynamodb {
namespace {

// {"AttributeName":"a","AttributeType":"S"} for "a:S".
std::string Attributes(const std::vector<std::string>& names) {
  return absl::StrJoin(names, ",", [](std::string* out, absl::string_view n) {
    absl::StrAppend(out, R"({"AttributeName":")", n.substr(0, n.size() - 2),
                    R"(","AttributeType":")", n.substr(n.size() - 1), R"("})");
  });
}

std::string KeySchemaOf(const std::vector<std::string>& hash,
                        const std::vector<std::string>& range) {
  std::vector<std::string> elements;
  for (const auto* names : {&hash, &range}) {
    for (const std::string& name : *names) {
      elements.push_back(
          absl::StrCat(R"({"AttributeName":")", name, R"(","KeyType":")",
                       names == &hash ? "HASH" : "RANGE", R"("})"));
    }
  }
  return absl::StrCat(R"("KeySchema":[)", absl::StrJoin(elements, ","), "]");
}

std::string IndexOf(absl::string_view key_schema) {
  return absl::StrCat(R"({"IndexName":"by-keys",)", key_schema,
                      R"(,"Projection":{"ProjectionType":"ALL"}})");
}

std::string TableWith(const std::vector<std::string>& attributes,
                      absl::string_view key_schema) {
  return absl::StrCat(
      R"({"TableName":"games","BillingMode":"PAY_PER_REQUEST",)",
      R"("AttributeDefinitions":[)", Attributes(attributes), "],",
      KeySchemaOf({"id"}, {}), R"(,"GlobalSecondaryIndexes":[)",
      IndexOf(key_schema), "]}");
}

class MultiKeyIndexTest : public testing::Test {
 protected:
  // An index by league and season, then by round (a number) and game.
  void CreateTable() {
    service_.Ok(
        "CreateTable",
        TableWith({"id:S", "league:S", "season:N", "round:N", "game:S"},
                  KeySchemaOf({"league", "season"}, {"round", "game"})));
  }

  static std::string ItemOf(absl::string_view id, int season, int round,
                            absl::string_view game) {
    return absl::StrCat(R"({"id":{"S":")", id, R"("},"league":{"S":"A"},)",
                        R"("season":{"N":")", season, R"("},"round":{"N":")",
                        round, R"("},"game":{"S":")", game, R"("}})");
  }

  void Put(absl::string_view id, int season, int round,
           absl::string_view game) {
    service_.Ok("PutItem", absl::StrCat(R"({"TableName":"games","Item":)",
                                        ItemOf(id, season, round, game), "}"));
  }

  static std::string QueryFor(absl::string_view condition,
                              absl::string_view more = "") {
    const std::vector<std::string> values = {
        R"(":l":{"S":"A"})", R"(":s":{"N":"7"})", R"(":r":{"N":"2"})",
        R"(":q":{"N":"10"})", R"(":m":{"S":"b"})"};
    std::vector<std::string> used;
    for (const std::string& value : values) {
      if (absl::StrContains(condition, value.substr(1, 2))) {
        used.push_back(value);
      }
    }
    return absl::StrCat(
        R"({"TableName":"games","IndexName":"by-keys",)",
        R"("ProjectionExpression":"id","KeyConditionExpression":")", condition,
        R"(","ExpressionAttributeValues":{)", absl::StrJoin(used, ","), "}",
        more, "}");
  }

  std::string Found(absl::string_view condition, absl::string_view more = "") {
    const std::string answer = service_.Ok("Query", QueryFor(condition, more));
    std::string ids;
    for (size_t at = answer.find(R"({"id":{"S":")"); at != std::string::npos;
         at = answer.find(R"({"id":{"S":")", at + 1)) {
      ids += answer[at + 12];
    }
    return ids;
  }

  TestService service_;
};

TEST_F(MultiKeyIndexTest, QueriesByAllHashAttributesAndTheFirstOfTheRange) {
  CreateTable();
  Put("a", 7, 10, "a");
  Put("b", 7, 2, "b");
  Put("c", 7, 2, "a");
  Put("d", 7, 2, "bb");
  Put("e", 8, 2, "b");
  service_.Ok("PutItem", R"({"TableName":"games","Item":{"id":{"S":"f"},)"
                         R"("league":{"S":"A"},"season":{"N":"7"},)"
                         R"("round":{"N":"2"}}})");  // has no game
  const std::string hash = "league = :l AND season = :s";
  EXPECT_EQ(Found(hash), "cbda");
  EXPECT_EQ(Found(hash, R"(,"ScanIndexForward":false)"), "adbc");
  EXPECT_EQ(Found("round = :r AND season = :s AND :l = league"), "cbd");
  EXPECT_EQ(Found(hash + " AND round > :r"), "a");
  EXPECT_EQ(Found(hash + " AND round BETWEEN :r AND :q"), "cbda");
  EXPECT_EQ(Found(hash + " AND round = :r AND begins_with(game, :m)"), "bd");
  EXPECT_EQ(Found(hash + " AND round = :r AND game = :m"), "b");
  EXPECT_EQ(Found(hash + " AND round = :r AND game < :m"), "c");
}

TEST_F(MultiKeyIndexTest, RefusesConditionsThatSkipAttributes) {
  CreateTable();
  const auto error = [&](absl::string_view condition) {
    return service_.Error("Query", QueryFor(condition));
  };
  EXPECT_EQ(error("league = :l"),
            "ValidationException: Query condition missed key schema element: "
            "season");
  EXPECT_EQ(error("league = :l AND season > :s"),
            "ValidationException: Query key condition not supported");
  const std::string unequal =
      "ValidationException: RANGE key attributes round must have equality "
      "conditions specified in the query because a condition is present on key "
      "attribute game";
  EXPECT_EQ(error("league = :l AND season = :s AND game = :m"), unequal);
  EXPECT_EQ(error("league = :l AND season = :s AND round > :r AND game = :m"),
            unequal);
  EXPECT_EQ(error("league = :l AND season = :s AND round = :m"),
            "ValidationException: One or more parameter values were invalid: "
            "Condition parameter type does not match schema type");
}

TEST_F(MultiKeyIndexTest, PagesWithAllKeyAttributes) {
  CreateTable();
  for (int i = 0; i < 5; ++i) Put(absl::StrCat("g", i), 7, i / 2, "x");
  for (const absl::string_view forward : {"true", "false"}) {
    std::string start;
    std::vector<std::string> pages;
    do {
      const std::string answer = service_.Ok(
          "Query", QueryFor("league = :l AND season = :s",
                            absl::StrCat(R"(,"Limit":2,"ScanIndexForward":)",
                                         forward, start)));
      pages.push_back(answer);
      const size_t last = answer.find(R"("LastEvaluatedKey":)");
      start.clear();
      if (last == std::string::npos) break;
      const std::string key = answer.substr(last + 19);
      for (const absl::string_view name :
           {"id", "league", "season", "round", "game"}) {
        EXPECT_TRUE(absl::StrContains(key, absl::StrCat("\"", name, "\":")))
            << key;
      }
      start = absl::StrCat(R"(,"ExclusiveStartKey":)",
                           key.substr(0, key.size() - 1));
    } while (true);
    const std::string all = absl::StrJoin(pages, "");
    for (int i = 0; i < 5; ++i) {
      EXPECT_TRUE(
          absl::StrContains(all, absl::StrCat(R"({"id":{"S":"g)", i, R"("}})")))
          << all;
    }
  }
}

TEST_F(MultiKeyIndexTest, IsFilledFromItemsThatAreThere) {
  service_.CreateSimpleTable("games");
  Put("a", 7, 2, "b");
  Put("b", 7, 1, "b");
  Put("c", 7, 1, "");                      // an empty key attribute
  Put("d", 7, 1, std::string(1025, 'x'));  // too long for a range key
  const std::string answer = service_.Ok(
      "UpdateTable",
      absl::StrCat(
          R"({"TableName":"games","AttributeDefinitions":[)",
          Attributes({"league:S", "season:N", "round:N", "game:S"}),
          R"(],"GlobalSecondaryIndexUpdates":[{"Create":)",
          IndexOf(KeySchemaOf({"league", "season"}, {"round", "game"})),
          "}]}"));
  EXPECT_TRUE(absl::StrContains(
      answer, KeySchemaOf({"league", "season"}, {"round", "game"})))
      << answer;
  EXPECT_EQ(Found("league = :l AND season = :s"), "ba");
  service_.Reopen();
  EXPECT_EQ(Found("league = :l AND season = :s AND round = :r"), "a");
}

TEST_F(MultiKeyIndexTest, RefusesTypesAndSizesThatAreNotThoseOfAKey) {
  CreateTable();
  EXPECT_EQ(service_.Error("PutItem",
                           R"({"TableName":"games","Item":{"id":{"S":"a"},)"
                           R"("season":{"S":"7"}}})"),
            "ValidationException: One or more parameter values were invalid: "
            "Type mismatch for Index Key season Expected: N Actual: S "
            "IndexName: by-keys");
  service_.Ok("CreateTable",
              absl::StrCat(R"({"TableName":"pairs",)",
                           TableWith({"id:S", "a:S", "b:S", "c:S"},
                                     KeySchemaOf({"a"}, {"b", "c"}))
                               .substr(21)));
  const std::string half(600, 'x');
  EXPECT_EQ(service_.Error(
                "PutItem",
                absl::StrCat(R"({"TableName":"pairs","Item":{"id":{"S":"a"},)",
                             R"("a":{"S":"a"},"b":{"S":")", half,
                             R"("},"c":{"S":")", half, R"("}}})")),
            "ValidationException: One or more parameter values were invalid: "
            "Aggregated size of all range keys has exceeded the size limit of "
            "1024 bytes");
}

TEST_F(MultiKeyIndexTest, HasFourAttributesOfEachRoleAtMostInOrder) {
  const auto error = [&](absl::string_view key_schema) {
    std::vector<std::string> all = {"id:S"};
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
      if (absl::StrContains(key_schema, absl::StrCat("\"", name, "\""))) {
        all.push_back(absl::StrCat(name, ":S"));
      }
    }
    return service_.Error("CreateTable", TableWith(all, key_schema));
  };
  EXPECT_EQ(error(KeySchemaOf({"a", "b", "c", "d", "e"}, {})),
            "ValidationException: One or more parameter values were invalid: "
            "The KeySchema exceeds the maximum allowed number of HASH key "
            "attributes");
  EXPECT_EQ(error(KeySchemaOf({"a"}, {"b", "c", "d", "e", "f"})),
            "ValidationException: One or more parameter values were invalid: "
            "The KeySchema exceeds the maximum allowed number of RANGE key "
            "attributes");
  EXPECT_EQ(error(KeySchemaOf({"a", "a"}, {"b"})),
            "ValidationException: The KeySchema contains multiple key "
            "attributes with the same name");
  EXPECT_EQ(error(KeySchemaOf({}, {"a", "b"})),
            "ValidationException: Invalid KeySchema: The first "
            "KeySchemaElement is not a HASH key type");
  EXPECT_EQ(
      error(R"("KeySchema":[{"AttributeName":"a","KeyType":"HASH"},)"
            R"({"AttributeName":"b","KeyType":"RANGE"},)"
            R"({"AttributeName":"c","KeyType":"HASH"}])"),
      "ValidationException: One or more parameter values were invalid: All "
      "HASH key attributes must precede RANGE key attributes in the KeySchema");
  const std::string most =
      KeySchemaOf({"a", "b", "c", "d"}, {"e", "f", "g", "h"});
  EXPECT_TRUE(absl::StrContains(
      service_.Ok("CreateTable", TableWith({"id:S", "a:S", "b:S", "c:S", "d:S",
                                            "e:S", "f:S", "g:S", "h:S"},
                                           most)),
      most));
}

// A new index on the attribute "owner", after `values` were put.
std::string FilledWith(TestService& service, absl::string_view type,
                       const std::vector<std::string>& values) {
  service.CreateSimpleTable("orders");
  for (size_t i = 0; i < values.size(); ++i) {
    service.Ok("PutItem",
               absl::StrCat(R"({"TableName":"orders","Item":{"id":{"S":"k)", i,
                            R"("},"owner":)", values[i], "}}"));
  }
  service.Ok(
      "UpdateTable",
      absl::StrCat(R"({"TableName":"orders","AttributeDefinitions":[)",
                   Attributes({absl::StrCat("owner:", type)}),
                   R"(],"GlobalSecondaryIndexUpdates":[{"Create":)",
                   R"({"IndexName":"by-owner",)", KeySchemaOf({"owner"}, {}),
                   R"(,"Projection":{"ProjectionType":"KEYS_ONLY"}}}]})"));
  // Pages of one, to use every LastEvaluatedKey.
  std::string found;
  std::string start;
  do {
    const std::string page = service.Ok(
        "Scan", absl::StrCat(R"({"TableName":"orders","IndexName":"by-owner",)",
                             R"("Limit":1)", start, "}"));
    const size_t id = page.find(R"("id":{"S":"k)");
    if (absl::StrContains(page, R"("Count":1)")) found += page[id + 12];
    const size_t last = page.find(R"("LastEvaluatedKey":)");
    if (last == std::string::npos) break;
    start = absl::StrCat(R"(,"ExclusiveStartKey":)",
                         page.substr(last + 19, page.size() - last - 20));
  } while (true);
  return found;
}

TEST(NewIndex, LeavesOutItemsWhoseKeyIsEmptyOrTooLong) {
  TestService service;
  EXPECT_EQ(
      FilledWith(service, "S",
                 {R"({"S":""})",
                  absl::StrCat(R"({"S":")", std::string(2049, 'x'), R"("})"),
                  R"({"S":"x"})", R"({"N":"1"})"}),
      "2");
}

TEST(NewIndex, LeavesOutItemsWhoseBinaryKeyIsEmpty) {
  TestService service;
  EXPECT_EQ(FilledWith(service, "B", {R"({"B":""})", R"({"B":"AA=="})"}), "1");
}

}  // namespace
}  // namespace byoshin::local::dynamodb
