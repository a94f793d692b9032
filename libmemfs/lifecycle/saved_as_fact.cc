#include "libmemfs/lifecycle/saved_as_fact.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "libmemfs/base/utf8.h"
#include "libmemfs/format/markdown.h"
#include "libmemfs/guard/pattern.h"

namespace memfs {
namespace {

constexpr std::size_t kLineLookedAt = 300;  // bytes of the first line

// What an agent can be told to do; a verb in this form behind "always" is an order.
const std::string kOrders =
    "(?:add|amend|answer|ask|assume|avoid|call|change|check|commit|confirm|create|delete|deploy|"
    "document|edit|explain|follow|force-push|format|generate|include|install|keep|mention|merge|"
    "modify|name|open|prefer|print|push|put|quote|read|rebase|remove|reply|respond|run|save|send|"
    "share|show|sign|skip|speak|squash|start|store|suggest|test|touch|translate|update|use|verify|"
    "wait|write)";

const Pattern& rule_pattern() {
  static const std::string expression =
      "(?i)^(?:please[ ,]+|important: *)?(?:"
      // "Always run the tests", "Never push to main", "Do not edit by hand"
      "(?:always|never|do not ever|don'?t ever|do not|don'?t|don’t) (?:ever )?" +
      kOrders +
      "\\b|"
      "you (?:must|should) (?:always|never)\\b|"
      "from now on\\b|"
      "before (?:committing|pushing|merging|answering|editing)[^.]{0,40}, (?:always )?" +
      kOrders +
      "\\b|"
      // "Immer auf Deutsch antworten", "Niemals direkt auf main pushen"
      "(?:bitte )?(?:immer|stets|nie|niemals) (?:[^ .]+ ){1,8}"
      "(?:antworten|ausführen|benutzen|committen|fragen|laufen lassen|löschen|mergen|nutzen|prüfen|"
      "pushen|schreiben|testen|verwenden|ändern)(?:[.!,;]|$)|"
      "ab (?:jetzt|sofort) (?:immer|nie|nur)\\b|"
      // "Всегда отвечай по-русски", "Никогда не пушь в main"
      "(?:пожалуйста, )?(?:всегда|никогда не) (?:\\S+ )?(?:запускай|запускать|используй|"
      "использовать|коммить|коммитить|отвечай|отвечать|пиши|писать|проверяй|проверять|пушь|пушить|"
      "спрашивай|спрашивать|удаляй|удалять|меняй|менять)(?:те)?(?:[ .,!]|$)|"
      "(?:отныне|впредь)[ ,]|"
      // 请始终用中文回答
      "请?(?:务必|始终|总是|一律|永远不要|切勿|绝不要|禁止)(?:先|再|要|使用|用|在|对|把|将|运行|"
      "提交|推送|回答|修改|"
      "删除|直接)|"
      "(?:从现在起|以后都|今后都)"
      ")";
  static const Pattern pattern(expression, true);
  return pattern;
}

const Pattern& progress_pattern() {
  static const Pattern pattern(
      "(?i)(?:"
      "^(?:todo|to-do|wip|work in progress|next steps?|remaining work|still to do|open tasks)\\b"
      "(?: list)? *(?::|$|-|–)|"
      "\\bstatus: *(?:in progress|wip|ongoing)\\b|\\b(?:is|are) (?:still |currently )?in "
      "progress[.!]?$|"
      "\\b(?:am|are|is) currently (?:working on|fixing|debugging|refactoring|implementing)\\b|"
      "^(?:currently )?working on\\b|"
      "\\b(?:will|to) (?:be )?(?:finish(?:ed)?|continued?|complete[d]?|resumed?|merged?|fix(?:ed)?)"
      "\\b[^.]{0,40}\\btomorrow\\b|"
      "\\b(?:pr|mr|pull request|merge request|issue|ticket) ?[#!]?\\d+ (?:was |is |has been |got )?"
      "(?:merged|opened|closed|landed|pushed)\\b[^.]{0,20}\\b(?:today|yesterday|just now|this "
      "morning)\\b|"
      "^(?:merged|fixed|pushed|finished|completed|implemented)\\b[^.]{0,60}\\b(?:today|yesterday|"
      "just "
      "now|this morning)\\b|"
      // German
      "\\bist (?:noch )?in arbeit\\b|^noch (?:zu tun|offen):|\\bmorgen (?:mache|geht "
      "es|wird|werde)\\b|"
      "\\bheute (?:gemergt|gemerged|fertig geworden|erledigt)\\b|"
      // Russian
      "^(?:осталось \\S+(?:ть|ти|чь)|нужно доделать|сделать завтра)(?:[ :,.]|$)|(?:сейчас|ещё|еще) "
      "в "
      "(?:работе|процессе)|"
      "завтра (?:закончу|доделаю|продолжу|допишу)|сегодня (?:смержил|влил|закоммитил|доделал)|"
      // Chinese
      "^(?:待办|待办事项|进行中)(?:：|:|$)|(?:仍在|还在|正在)(?:进行中|处理中|开发中)[。！.]?$|"
      "明天(?:继续|"
      "完成|再)|今天(?:已)?"
      "(?:合并|完成)了"
      ")",
      true);
  return pattern;
}

bool holds(const Pattern& pattern, std::string_view text) {
  ByteRange whole;
  ByteRange group;
  const auto looked_at = cut_at_char_boundary(trim(text), kLineLookedAt);
  return pattern.find(looked_at, 0, looked_at.size(), whole, group);
}

bool is_box(std::string_view line, char mark) {
  return line.size() > 5 && (line[0] == '-' || line[0] == '*') && line.substr(1, 2) == " [" &&
         ascii_lower(line.substr(3, 1)).front() == mark && line[4] == ']';
}

// Boxes to tick, open ones among them, are most of the text: a checklist at the end of a guide is
// none.
bool is_task_list(std::string_view body) {
  constexpr std::size_t kLeast = 2;
  std::size_t open = 0;
  std::size_t boxes = 0;
  std::size_t lines = 0;
  for (std::size_t begin = 0; begin < body.size();) {
    const auto end = std::min(body.find('\n', begin), body.size());
    const auto line = trim(body.substr(begin, end - begin));
    begin = end + 1;
    lines += line.empty() || line.front() == '#' ? 0 : 1;
    open += is_box(line, ' ') ? 1 : 0;
    boxes += is_box(line, ' ') || is_box(line, 'x') ? 1 : 0;
  }
  return open >= kLeast && boxes * 3 >= lines * 2;
}

}  // namespace

bool reads_as_rule(std::string_view title, std::string_view body) {
  const Pattern& pattern = rule_pattern();
  return holds(pattern, title) || holds(pattern, first_text_line(body));
}

bool reads_as_progress(std::string_view title, std::string_view body) {
  const Pattern& pattern = progress_pattern();
  return holds(pattern, title) || holds(pattern, first_text_line(body)) || is_task_list(body);
}

}  // namespace memfs
