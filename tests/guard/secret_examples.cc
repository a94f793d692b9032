// Credentials of all shapes in the places where they are found: drawn anew at each run.
#include "tests/guard/guard_examples.h"

namespace memfs::testing {

std::string random_text(bench::Random& random, std::string_view alphabet, std::size_t length) {
  std::string out;
  for (std::size_t at = 0; at < length; ++at) out += alphabet[random.below(alphabet.size())];
  return out;
}

std::string github_token(bench::Random& random) {
  return std::string("gh") + "p_" + random_text(random, kAlnum, 36);
}

namespace {

struct Shape {
  const char* rule;
  std::string_view prefix;
  std::string_view alphabet;
  std::size_t length;
  std::string_view suffix = "";
};

constexpr Shape kShapes[] = {
    {"github-token", "ghp_", kAlnum, 36},
    {"github-token", "ghs_", kAlnum, 36},
    {"gitlab-token", "glpat-", kUrl64, 20},
    {"gitlab-token", "glrt-", kUrl64, 20},
    {"aws-access-key", "AKIA", kBase32, 16},
    {"aws-access-key", "ASIA", kBase32, 16},
    {"google-api-key", "AIza", kUrl64, 35},
    {"google-oauth-secret", "GOCSPX-", kUrl64, 28},
    {"stripe-key", "sk_live_", kAlnum, 24},
    {"stripe-key", "rk_live_", kAlnum, 99},
    {"stripe-key", "whsec_", kAlnum, 32},
    {"openai-key", "sk-", kAlnum, 48},
    {"openai-key", "sk-proj-", kUrl64, 120},
    {"anthropic-key", "sk-ant-api03-", kUrl64, 93, "AA"},
    {"npm-token", "npm_", kAlnum, 36},
    {"pypi-token", "pypi-AgEIcHlwaS5vcmc", kUrl64, 120},
    {"huggingface-token", "hf_", kAlnum, 34},
    {"twilio-key", "SK", kHex, 32},
    {"digitalocean-token", "dop_v1_", kHex, 64},
    {"docker-token", "dckr_pat_", kUrl64, 27},
    {"linear-key", "lin_api_", kAlnum, 40},
    {"shopify-token", "shpat_", kHex, 32},
    {"age-secret-key", "AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58},
    {"vault-token", "hvs.", kUrl64, 90},
    {"grafana-token", "glsa_", kAlnum, 32, "_0a1b2c3d"},
    {"databricks-token", "dapi", kHex, 32},
    {"groq-key", "gsk_", kAlnum, 52},
    {"figma-token", "figd_", kUrl64, 40},
    {"notion-token", "ntn_", kAlnum, 46},
    {"tailscale-key", "tskey-auth-", kAlnum, 40},
    {"rubygems-key", "rubygems_", kHex, 48},
    {"postman-key", "PMAK-", kHex, 24},
    {"newrelic-key", "NRAK-", kUpperAlnum, 27},
    {"sentry-token", "sntryu_", kHex, 64},
    {"supabase-token", "sbp_", kHex, 40},
};

// `{}` stands for the token.
constexpr std::string_view kPlaces[] = {
    "The token is {} (expires in May).",
    "export SERVICE_KEY={}\n",
    "```json\n{\"key\": \"{}\"}\n```\n",
    "| name | value |\n|---|---|\n| ci | `{}` |\n",
};

std::string put(std::string_view place, const std::string& token) {
  const auto at = place.find("{}");
  return std::string(place.substr(0, at)) + token + std::string(place.substr(at + 2));
}

std::string key_block(bench::Random& random, const std::string& kind, const std::string& break_by) {
  std::string body;
  for (int line = 0; line < 6; ++line) body += random_text(random, kBase64, 64) + break_by;
  const std::string dashes(5, '-');
  return dashes + "BEGIN " + kind + dashes + break_by + body + dashes + "END " + kind + dashes;
}

struct Place {
  const char* rule;
  std::string_view text;
};
constexpr std::string_view kDjango = "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*-_=+";

// Shapes that are more than a prefix and characters.
std::vector<GuardExample> built(bench::Random& random) {
  const auto alnum = [&](std::size_t n) { return random_text(random, kAlnum, n); };
  const auto url64 = [&](std::size_t n) { return random_text(random, kUrl64, n); };
  const auto base64 = [&](std::size_t n) { return random_text(random, kBase64, n); };
  const auto hex = [&](std::size_t n) { return random_text(random, kHex, n); };
  const auto digits = [&](std::size_t n) { return "7" + random_text(random, kDigits, n - 1); };
  const auto upper = [&](std::size_t n) { return random_text(random, kUpperAlnum, n); };
  const std::string jwt =
      "ey"
      "JhbGciOiJIUzI1NiJ9.ey"
      "J" +
      url64(60) + "." + url64(43);
  return {
      {"bot: github_"
       "pat_" +
           alnum(22) + "_" + alnum(59),
       "github-token"},
      {"aws_secret_access_key = " + base64(40), "aws-secret-key"},
      {"\"SecretAccessKey\": \"" + base64(40) + "\"", "aws-secret-key"},
      {"xox"
       "b-" +
           digits(12) + "-" + digits(13) + "-" + alnum(24),
       "slack-token"},
      {"hook https://hooks.slack.com/services/T" + upper(10) + "/B" + upper(10) + "/" + alnum(24),
       "slack-webhook"},
      {"key SG." + url64(22) + "." + url64(43), "sendgrid-key"},
      {"bot " + digits(10) + ":AA" + url64(33), "telegram-token"},
      {"discord token M" + alnum(25) + "." + url64(6) + "." + url64(38), "discord-token"},
      {"https://discord.com/api/webhooks/" + digits(18) + "/" + url64(68), "discord-webhook"},
      {"DefaultEndpointsProtocol=https;AccountName=a;AccountKey=" + base64(86) + "==",
       "azure-storage-key"},
      {"cookie jwt=" + jwt, "jwt"},
      {"Authorization: Bearer " + jwt, "jwt"},
      {key_block(random, "RSA PRIVATE KEY", "\n"), "private-key"},
      {key_block(random, "OPENSSH PRIVATE KEY", "\r\n"), "private-key"},
      {"\"key\": \"" + key_block(random, "PRIVATE KEY", "\\n") + "\"", "private-key"},
      {key_block(random, "PGP PRIVATE KEY BLOCK", "\n"), "private-key"},
      {"    " + key_block(random, "EC PRIVATE KEY", "\n    "), "private-key"},
      {"postgres://app:" + alnum(16) + "@db.internal:5432/app", "url-credentials"},
      {"git clone https://deploy:" + alnum(20) + "@git.internal/x.git", "url-credentials"},
      {"amqp://svc:" + alnum(8) + "!" + alnum(4) + "@mq", "url-credentials"},
      {"Authorization: Bearer " + alnum(40), "http-authorization"},
      {"curl -H 'Authorization: token " + hex(40) + "'", "http-authorization"},
      {"password = \"" + alnum(6) + "7#" + alnum(6) + "x\"", "assigned-password"},
      {"DB_PASSWORD=" + alnum(6) + "3a" + alnum(10), "assigned-password"},
      {"password: " + alnum(5) + "9!bQ" + alnum(5), "assigned-password"},
      {"api_key = '" + alnum(32) + "'", "assigned-secret"},
      {"client_secret: " + url64(40), "assigned-secret"},
      {"  \"secretKey\": \"" + base64(44) + "\",", "assigned-secret"},
      {"export SERVICE_TOKEN=" + hex(40), "assigned-secret"},
      {"const apiToken = `" + alnum(28) + "`;", "assigned-secret"},
      {"//registry.example.org/:_authToken=" + alnum(36), "assigned-secret"},
      {"The x-api-key: " + random_text(random, "abcdefghijklmnopqrstuvwxyz0123456789", 40),
       "assigned-secret"},
  };
}

// Where people write passwords down. `{}` stands for one.
constexpr Place kPasswordPlaces[] = {
    {"assigned-password", "The staging DB password is {}"},
    {"assigned-password", "The password was changed to {} in May"},
    {"assigned-password", "log in with password {}"},
    {"assigned-password", "password -> {}"},
    {"assigned-password", "**password:** {}"},
    {"assigned-password", "- **Password**: `{}`"},
    {"assigned-password", "| user | password |\n|---|---|\n| admin | {} |\n| guest | none |\n"},
    {"assigned-password", "| password | {} |"},
    {"assigned-password", "Password (staging): {}"},
    {"assigned-password", "pass: {}"},
    {"assigned-password", "pw={}"},
    {"assigned-password", "DB_PASS={}"},
    {"assigned-password", "PGPASSWORD={} psql -h db"},
    {"assigned-password", "{\"pass\": \"{}\"}"},
    {"command-password", "tool --password {} --verbose"},
    {"command-password", "curl -u deploy:{} https://ci.internal/x"},
    {"command-password", "sshpass -p {} ssh host"},
    {"command-password", "mysql -u root -p{} app"},
    {"command-password", "mysql -p{}"},
    {"command-password", "docker login -u x -p {}"},
    {"command-password", "machine git.internal login ci password {}"},
    {"assigned-password", "contraseña: {}"},
    {"assigned-password", "Contraseña del servidor: {}"},
    {"assigned-password", "senha: {}"},
    {"assigned-password", "mot de passe : {}"},
    {"assigned-password", "mot de passe\u00A0: {}"},
    {"assigned-password", "hasło: {}"},
    {"assigned-password", "wachtwoord: {}"},
    {"assigned-password", "Kennwort: {}"},
    {"assigned-password", "비밀번호: {}"},
    {"assigned-password", "密码是{}，请勿外传"},
    {"assigned-password", "パスワード: {}"},
    {"assigned-password", "пароль: {}"},
    {"assigned-password", "Пароль — {}"},
};

// Letters of both cases and digits, with and without a sign.
std::string a_password(bench::Random& random, bool sign) {
  // One after the other: within a sum compilers draw in the order they like.
  std::string drawn = random_text(random, kAlnum, 3) + "k3Q";
  drawn += random_text(random, kAlnum, 4);
  return drawn + (sign ? "0a!" : "7xR2");
}

// Credentials without a prefix of their own, known by where they stand.
std::vector<GuardExample> placed(bench::Random& random) {
  const auto alnum = [&](std::size_t n) { return random_text(random, kAlnum, n); };
  const auto hex = [&](std::size_t n) { return random_text(random, kHex, n); };
  const auto uuid = [&] {
    return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12);
  };
  return {
      {"DB_PASSWORD=hunter" + random_text(random, kDigits, 1) + "butlonger9X", "assigned-password"},
      {"//npm.internal/:_auth=" + random_text(random, kBase64, 40), "http-authorization"},
      {"HEROKU_API_KEY=" + uuid(), "assigned-secret"},
      {"export RELAY_TOKEN=\"" + uuid() + "\"", "assigned-secret"},
      {"the api key " + hex(32) + " is for the test account", "assigned-secret"},
      {"**API key:** " + alnum(32), "assigned-secret"},
      {"DJANGO_SECRET_KEY='django-" + ("insecure-" + random_text(random, kDjango, 50)) + "'",
       "django-secret-key"},
      {"https://store.blob.core.windows.net/c/f?sv=2022-11-02&sp=r&sig=" + alnum(20) + "%2B" +
           alnum(14) + "%2F" + alnum(7) + "%3D",
       "azure-sas"},
      {"https://acme.webhook.office.com/webhookb2/" + uuid() + "@" + uuid() + "/IncomingWebhook/" +
           hex(32) + "/" + uuid(),
       "teams-webhook"},
      {"https://hooks.zapier.com/hooks/catch/" + random_text(random, kDigits, 7) + "/" +
           random_text(random, "bcdghjkmnpqrstvwxz23456789", 7) + "/",
       "zapier-webhook"},
  };
}

}  // namespace

std::vector<GuardExample> secret_examples() {
  std::vector<GuardExample> all;
  bench::Random random(1907);
  const auto add = [&](std::string text, const char* rule) {
    all.push_back({std::move(text), rule, all.size() % 3 == 2});
  };
  std::size_t place = 0;
  for (const Shape& shape : kShapes) {
    for (int round = 0; round < 3; ++round) {
      const std::string token = std::string(shape.prefix) +
                                random_text(random, shape.alphabet, shape.length) +
                                std::string(shape.suffix);
      add(put(kPlaces[place++ % std::size(kPlaces)], token), shape.rule);
    }
  }
  for (int round = 0; round < 5; ++round)
    for (GuardExample& example : built(random)) add(std::move(example.text), example.rule.c_str());
  for (const Place& each : kPasswordPlaces)
    for (const bool sign : {true, false}) add(put(each.text, a_password(random, sign)), each.rule);
  for (int round = 0; round < 3; ++round)
    for (GuardExample& example : placed(random)) add(std::move(example.text), example.rule.c_str());
  return all;
}

}  // namespace memfs::testing
