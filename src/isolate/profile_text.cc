#include "isolate/profile_text.h"

#include <vector>

namespace sloppy::workers {
namespace {

void AppendCallFrame(const v8::CpuProfileNode& node, InspectionText* text) {
  text->Append("\"callFrame\":{\"functionName\":");
  text->AppendQuoted(node.GetFunctionNameStr());
  text->Append(",\"scriptId\":\"");
  text->Append(int64_t{node.GetScriptId()});
  text->Append("\",\"url\":");
  text->AppendQuoted(node.GetScriptResourceNameStr());
  // The file counts from 0, V8's nodes from 1.
  text->Append(",\"lineNumber\":");
  text->Append(int64_t{node.GetLineNumber()} - 1);
  text->Append(",\"columnNumber\":");
  text->Append(int64_t{node.GetColumnNumber()} - 1);
  text->Append("}");
}

void AppendTicks(const v8::CpuProfileNode& node, InspectionText* text) {
  std::vector<v8::CpuProfileNode::LineTick> ticks(node.GetHitLineCount());
  if (ticks.empty() ||
      !node.GetLineTicks(ticks.data(), static_cast<unsigned>(ticks.size()))) {
    return;
  }
  text->Append(",\"positionTicks\":[");
  for (size_t i = 0; i < ticks.size(); ++i) {
    text->Append(i == 0 ? "{\"line\":" : ",{\"line\":");
    text->Append(int64_t{ticks[i].line});
    text->Append(",\"ticks\":");
    text->Append(int64_t{ticks[i].hit_count});
    text->Append("}");
  }
  text->Append("]");
}

void AppendNode(const v8::CpuProfileNode& node, InspectionText* text) {
  text->Append("{\"id\":");
  text->Append(int64_t{node.GetNodeId()});
  text->Append(",\"hitCount\":");
  text->Append(int64_t{node.GetHitCount()});
  text->Append(",");
  AppendCallFrame(node, text);
  const int children = node.GetChildrenCount();
  for (int i = 0; i < children; ++i) {
    text->Append(i == 0 ? ",\"children\":[" : ",");
    text->Append(int64_t{node.GetChild(i)->GetNodeId()});
  }
  if (children > 0) text->Append("]");
  const char* reason = node.GetBailoutReason();
  if (reason != nullptr && *reason != '\0') {
    text->Append(",\"deoptReason\":");
    text->AppendQuoted(reason);
  }
  AppendTicks(node, text);
  text->Append("}");
}

}  // namespace

void AppendProfile(const v8::CpuProfile& profile, InspectionText* text) {
  text->Append("{\"nodes\":[");
  // No recursion: the calls of a job may be deeper than the worker's stack.
  std::vector<const v8::CpuProfileNode*> left{profile.GetTopDownRoot()};
  for (bool first = true; !left.empty(); first = false) {
    const v8::CpuProfileNode* node = left.back();
    left.pop_back();
    if (!first) text->Append(",");
    AppendNode(*node, text);
    for (int i = node->GetChildrenCount(); i > 0; --i) {
      left.push_back(node->GetChild(i - 1));
    }
  }
  text->Append("],\"startTime\":");
  text->Append(profile.GetStartTime());
  text->Append(",\"endTime\":");
  text->Append(profile.GetEndTime());
  const int samples = profile.GetSamplesCount();
  text->Append(",\"samples\":[");
  for (int i = 0; i < samples; ++i) {
    if (i > 0) text->Append(",");
    text->Append(int64_t{profile.GetSample(i)->GetNodeId()});
  }
  text->Append("],\"timeDeltas\":[");
  int64_t last = profile.GetStartTime();
  for (int i = 0; i < samples; ++i) {
    if (i > 0) text->Append(",");
    const int64_t at = profile.GetSampleTimestamp(i);
    text->Append(at - last);
    last = at;
  }
  text->Append("]}");
}

}  // namespace sloppy::workers
