#pragma once
// A session is everything that comes back when a window is opened again: the scenario, how it is shown, and the
// layout. As JSON, versioned:
//
//   {"schema": "attnscope_session/11", "written_by": "attnscope VERSION", "scenario": {...}, "look": {...},
//    "layout": {"geometry": base64, "docks": base64}, "file": path, "unchanged": false}
//
// Unknown fields are errors, absent ones take their defaults, so older versions stay readable. Version 2 added to the
// look the pinned range, the sides of the difference, and what the entropy chart shows; version 3 what wrote it, and
// the file; version 4 the workspace and what it says of a model; version 5 the pins and what colours the heads of a
// file; version 6 annotations, zooms and colours of methods; version 7 what labs and tours are set to; version 8 which
// map is large, which rows count, and a theory beside data that it misses;
// version 11 the sides of the difference as names of methods, which were places in their list.

#include "core/analysis/scenario.h"
#include "core/base/error.h"
#include "core/document/look.h"

#include <string>
#include <string_view>

namespace attnscope {

struct Session {
    Scenario scenario;
    Look look;
    std::string geometry, docks;  ///< of the window, as base64; empty: as they are
    std::string file;  ///< where this is kept for the next start: the session's own file, UTF-8; empty: it has none
    bool unchanged = false;  ///< nothing here is work: it is as it was opened, or as its file has it
    bool operator==(const Session&) const = default;
};

/// The same bytes for equal sessions, of one version of the program.
std::string writeSession(const Session& session);

/// Names of colours and charts are those of the window, which checks them (ui/window/session_file.h).
/// Errors: UnknownFormat (no session, or of a later version), InvalidHeader, InvalidArgument, UnknownName.
Result<Session> readSession(std::string_view text);

}  // namespace attnscope
