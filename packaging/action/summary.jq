# A SARIF report of ggufgate as Markdown: the files that are not accepted, and how many are.

def most: 50;
# No character of a file or its name may be markup.
def text: gsub("&"; "&amp;") | gsub("<"; "&lt;") | gsub(">"; "&gt;") | gsub("(?<c>[\\\\`*_|~\\[\\]])"; "\\\(.c)");

.runs[0]
| .results as $results
| (.invocations[0].toolExecutionNotifications // []) as $notes
| [.artifacts | to_entries[] | select(.value.properties.verdict != "accept")] as $bad
| ([.artifacts[] | select(.properties.verdict == "accept")] | length) as $good
| "### ggufgate: \($good) accepted, \($bad | length) not",
  "",
  if ($bad | length) == 0 then empty else
    "| file | verdict | first finding |", "|---|---|---|",
    ($bad[:most][]
     | .key as $index
     | ([$results[], $notes[]]
        | map(select(.locations[0].physicalLocation.artifactLocation.index == $index))
        | first // {message: {text: ""}}) as $first
     | "| \(.value.location.uri | text) | \(.value.properties.verdict) | \($first.ruleId // "" | text) \($first.message.text[:300] | text) |"),
    if ($bad | length) > most then "| … and \(($bad | length) - most) more | | |" else empty end
  end
