// Credentials: by shape, by place, by name. Those with the look of a real one are drawn at run
// time.
#include <gtest/gtest.h>

#include "tests/guard/guard_examples.h"
#include "tests/guard/guard_support.h"

namespace memfs::testing {
namespace {

class GuardSecrets : public ::testing::Test {
 protected:
  std::string alnum(std::size_t n) { return random_text(random_, kAlnum, n); }
  std::string hex(std::size_t n) { return random_text(random_, kHex, n); }
  std::string base64(std::size_t n) { return random_text(random_, kBase64, n); }

  bench::Random random_{11};
};

TEST_F(GuardSecrets, EveryRuleNamesTheExamplesOfItsShape) {
  for (const GuardExample& example : secret_examples())
    EXPECT_EQ(rules_in(example.text), example.rule) << example.text.substr(0, 24);
}

TEST_F(GuardSecrets, EveryRuleHasAnExample) {
  std::string names = " ";
  for (const GuardExample& example : secret_examples()) names += example.rule + " ";
  for (const GuardRule& rule : guard_rules()) {
    if (rule.kind != GuardKind::kSecret || rule.name == "azure-client-secret") continue;
    EXPECT_NE(names.find(" " + std::string(rule.name) + " "), std::string::npos) << rule.name;
  }
}

TEST_F(GuardSecrets, AnAzureSecretIsFoundByItsMiddle) {
  EXPECT_EQ(rules_in("value " + alnum(3) + "8Q~" + alnum(34)), "azure-client-secret");
}

TEST_F(GuardSecrets, ATokenThatGoesOnIsNoToken) {
  const std::string token = github_token(random_);
  EXPECT_EQ(rules_in(token), "github-token");
  EXPECT_EQ(rules_in("my" + token), "");
  EXPECT_EQ(rules_in(token.substr(0, 30)), "");
}

TEST_F(GuardSecrets, OnlyTheValueOfAnAssignmentIsMarked) {
  const std::string value = alnum(12) + "3x" + alnum(18);
  for (const char* name : {"api_key = ", "\"apiKey\": \"", "token: ", "export SERVICE_TOKEN=",
                           "'client-secret' => '", "<secret>", "X-Api-Key: "}) {
    const std::string text = "a line\n" + std::string(name) + value + "\nanother";
    const auto findings = scan_text(text);
    ASSERT_EQ(findings.size(), 1U) << name;
    EXPECT_EQ(bytes_of(text, findings[0]), value) << name;
  }
}

TEST_F(GuardSecrets, PunctuationBehindAValueDoesNotBelongToIt) {
  const std::string value = alnum(12) + "3x" + alnum(18);
  const std::string text = "token=" + value + ", and more";
  ASSERT_EQ(scan_text(text).size(), 1U);
  EXPECT_EQ(bytes_of(text, scan_text(text)[0]), value);
}

TEST_F(GuardSecrets, APasswordNeedsLettersDigitsAndSignsOrBothCases) {
  EXPECT_EQ(rules_in("password: Winter"
                     "#2031x"),
            "assigned-password");
  EXPECT_EQ(rules_in("Passwort: kQ"
                     "7!mzRt"
                     "4"),
            "assigned-password");
  EXPECT_EQ(rules_in("密码：kQ"
                     "7!mzRt"
                     "4"),
            "assigned-password");
  EXPECT_EQ(rules_in("password: correcthorse"), "");
  EXPECT_EQ(rules_in("password: version2"), "");
  EXPECT_EQ(rules_in("password: 12345678"), "");
}

TEST_F(GuardSecrets, AColumnOfPasswordsIsFoundByItsHeadAndOthersAreNot) {
  const std::string value = alnum(4) + "k3Q" + alnum(4) + "0a!";
  const std::string text = "| user | password |\n|---|:--|\n| admin | `" + value + "` |\n";
  ASSERT_EQ(rules_in(text), "assigned-password");
  EXPECT_EQ(bytes_of(text, scan_text(text)[0]), value);
  EXPECT_EQ(rules_in("| password | hint |\n|---|---|\n| none | " + value + " |\n"), "");
  EXPECT_EQ(rules_in("| user | password |\n| admin | " + value + " |\n"), "");
  EXPECT_EQ(rules_in("| user | password |\n|---|---|\n\n| admin | " + value + " |\n"), "");
}

TEST_F(GuardSecrets, RedactionReachesTheTableAtWhichTheFindingsAreCutOff) {
  std::string text;
  for (int token = 0; token < 99; ++token) text += github_token(random_) + "\n";
  text += "| user | password |\n|---|---|\n";
  for (int row = 0; row < 40; ++row) text += "| u | " + alnum(4) + "k3Q" + alnum(4) + "0a! |\n";
  EXPECT_EQ(rules_in(redact(text, scan_text(text))), "");
}

TEST_F(GuardSecrets, InProseAndBehindShortNamesTheValueMustBeMoreThanAWordWithADigit) {
  for (const char* text :
       {"The password is required2024!", "pass: feature#12", "pw=banana2000", "bypass: kQ7!mzRt4x",
        "compass=kQ7!mzRt4x", "The password is sha256.",
        "The password of Acme is in Vault: kv/Prod/db1!",
        "error=\"invalid password\" ipAddress=203.0.113.42", "password | version2.1"})
    EXPECT_EQ(rules_in(text), "") << text;
  EXPECT_EQ(rules_in("dbPass: kQ"
                     "7!mzRt4x"),
            "assigned-password");
}

TEST_F(GuardSecrets, AUuidIsAKeyOnlyUnderTheNameOfOne) {
  const std::string uuid = hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12);
  EXPECT_EQ(rules_in("HEROKU_API_KEY=" + uuid), "assigned-secret");
  EXPECT_EQ(rules_in("client_secret: \"" + uuid + "\""), "assigned-secret");
  for (const char* name : {"token_id=", "id: ", "API_KEY_ID=", "secret_version_id: ", "session "})
    EXPECT_EQ(rules_in(name + uuid), "") << name;
}

TEST_F(GuardSecrets, ANameThatSpeaksOfSomethingElseGivesNoSecret) {
  for (const char* name : {"token_hash", "secret_name", "PublicKeyToken", "api_key_id",
                           "password_policy", "token_url"})
    EXPECT_EQ(rules_in(std::string(name) + "=" + hex(32)), "") << name;
}

TEST_F(GuardSecrets, ThePasswordOfAUrlIsMarkedAndTheRestIsNot) {
  const std::string text = "postgres://app:" + hex(6) + "kQ9@db/app";
  ASSERT_EQ(rules_in(text), "url-credentials");
  EXPECT_EQ(scan_text(text)[0].begin, 15U);
  EXPECT_EQ(scan_text(text)[0].end, 24U);
  EXPECT_EQ(rules_in("https://example.org/a:b@c"), "");
  EXPECT_EQ(rules_in("see https://example.org:8080/x and mail a@b"), "");
}

TEST_F(GuardSecrets, BasicAuthorizationIsJudgedByWhatItSays) {
  // me:kQ7!mzRt4 and user:password
  EXPECT_EQ(rules_in("Authorization: Basic bWU6a1E3IW16"
                     "UnQ0"),
            "http-authorization");
  EXPECT_EQ(rules_in("Authorization: Basic dXNlcjpwYXNzd29yZA=="), "");
}

TEST_F(GuardSecrets, APrivateKeyIsMarkedToItsLastLine) {
  const std::string dashes(5, '-');
  std::string key = dashes + "BEGIN EC PRIVATE KEY" + dashes + "\n";
  for (int line = 0; line < 3; ++line) key += base64(64) + "\n";
  key += dashes + "END EC PRIVATE KEY" + dashes;
  const std::string text = "Key:\n" + key + "\nand text";
  ASSERT_EQ(rules_in(text), "private-key");
  EXPECT_EQ(bytes_of(text, scan_text(text)[0]), key);
}

TEST_F(GuardSecrets, APrivateKeyWithoutItsEndIsMarkedAsFarAsItGoes) {
  const std::string dashes(5, '-');
  const std::string key =
      dashes + "BEGIN PRIVATE KEY" + dashes + "\n" + base64(64) + "\n" + base64(64);
  const std::string text = key + "\n(cut off)";
  ASSERT_EQ(rules_in(text), "private-key");
  EXPECT_GE(scan_text(text)[0].end, key.size());
  EXPECT_EQ(redact(text, scan_text(text)).find(key.substr(40, 20)), std::string::npos);
}

TEST_F(GuardSecrets, WhatManualsPutInThePlaceOfASecretIsNone) {
  for (const char* text :
       {"token: <your-token>", "token: ${TOKEN}", "api_key: xxxxxxxxxxxxxxxxxxxx",
        "AKIAIOSFODNN7EXAMPLE", "secret: {{ .Values.secret }}", "password: changeme",
        "token = getToken(session, 16)", "token: abcdefghijklmnop1234567890",
        "TOKEN=$(cat /run/token1)", "token: process.env.TOKEN_2024_v1a2b3"})
    EXPECT_EQ(rules_in(text), "") << text;
}

TEST_F(GuardSecrets, DigestsAndIdsAreNoSecretsEvenUnderTheNameOfOne) {
  EXPECT_EQ(rules_in("token: sha256:" + hex(64)), "");
  EXPECT_EQ(rules_in("token: 123e4567-e89b-42d3-a456-426614174000"), "");
  EXPECT_EQ(rules_in("commit " + hex(40)), "");
}

}  // namespace
}  // namespace memfs::testing
