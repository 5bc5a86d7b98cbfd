// Speaks with the referee over gRPC.
#include "session.h"

#include <google/protobuf/arena.h>
#include <grpcpp/grpcpp.h>

#include <array>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "tables.h"
#include "telling.h"
#include "upcard/v1/referee.grpc.pb.h"

namespace upcard::detail {
namespace {

constexpr int most_received = 16 * 1024 * 1024;
constexpr std::chrono::milliseconds goodbye_wait{900};
/// Room for a frame of 256 turns, so that reading one takes nothing from the heap.
constexpr std::size_t arena_bytes = 512 * 1024;

constexpr std::array code_names{
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
};

std::shared_ptr<grpc::Channel> channel_to(const std::string& address) {
  // What goes wrong is in the status; for the rest gRPC need not write into the bot's log.
  setenv("GRPC_VERBOSITY", "NONE", 0);
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(most_received);
  // One local socket: no proxy is asked for, nothing is sent twice.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

/// What a fault is called; by its number if it is of a later revision.
std::string name_of(v1::Fault fault) {
  if (!v1::Fault_IsValid(fault)) return std::to_string(int(fault));
  return v1::Fault_Name(fault).substr(sizeof "FAULT_" - 1);
}

std::string explained(const v1::FaultNotice& notice) {
  std::string line = "fault " + name_of(notice.fault());
  if (notice.table_id()) line += " at table " + std::to_string(notice.table_id());
  if (notice.turn_id()) line += ", turn " + std::to_string(notice.turn_id());
  return line + ": " + notice.explanation();
}

std::string reason(const grpc::Status& status) {
  return std::string(code_names.at(std::size_t(status.error_code()))) + ": " +
         status.error_message();
}

/// The one stream of a process.
class Session {
 public:
  explicit Session(const std::string& address)
      : stub_(v1::RefereeService::NewStub(channel_to(address))), stream_(stub_->Play(&context_)) {}

  ~Session() {
    if (ended_) return;
    context_.TryCancel();
    stream_->Finish();
  }

  bool send(const v1::PlayRequest& request) { return stream_->Write(request); }

  /// The next message, until the following one is asked for; none after the goodbye or the end.
  /// What the referee complains of is passed on to the author.
  const v1::PlayResponse* hear() {
    while (const v1::PlayResponse* response = read()) {
      said_goodbye_ = response->has_goodbye();
      if (said_goodbye_) break;
      if (!response->has_fault()) return response;
      log(explained(response->fault()));
    }
    return nullptr;
  }

  /// Closes our side and waits for the referee to close its own, though not for long.
  grpc::Status leave() {
    const std::jthread impatient([this](const std::stop_token& left) {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any().wait_for(lock, left, goodbye_wait, [] { return false; });
      if (!left.stop_requested()) context_.TryCancel();
    });
    stream_->WritesDone();
    ended_ = true;
    const grpc::Status status = stream_->Finish();
    return said_goodbye_ ? grpc::Status::OK : status;
  }

 private:
  const v1::PlayResponse* read() {
    arena_.Reset();
    auto* response = google::protobuf::Arena::CreateMessage<v1::PlayResponse>(&arena_);
    return stream_->Read(response) ? response : nullptr;
  }

  std::unique_ptr<char[]> block_ = std::make_unique<char[]>(arena_bytes);
  google::protobuf::Arena arena_{block_.get(), arena_bytes};
  grpc::ClientContext context_;
  std::unique_ptr<v1::RefereeService::Stub> stub_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>> stream_;
  bool said_goodbye_ = false;
  bool ended_ = false;
};

v1::PlayRequest hello(const std::string& token, int tables) {
  v1::PlayRequest request;
  request.mutable_hello()->set_token(token);
  request.mutable_hello()->set_protocol_revision(1);
  request.mutable_hello()->set_sdk("upcard-cpp " UPCARD_VERSION);
  request.mutable_hello()->set_tables(std::uint32_t(tables));
  return request;
}

/// The message with the welcome, if one comes.
const v1::PlayResponse* welcomed(Session& session) {
  const v1::PlayResponse* response = session.hear();
  while (response && !response->has_welcome()) response = session.hear();
  return response;
}

/// Logs a line that is still to be put together, or a shorter one if that fails too: nothing may be
/// thrown where something was, whatever the referee sent and however little memory is left.
template <class Words>
void tell(Words words, std::string_view otherwise) noexcept {
  try {
    log(words());
  } catch (...) {
    log(otherwise);
  }
}

/// Says whether the bot decided whatever it was asked.
bool play(Tables& tables, Session& session) {
  Pieces pieces([&session](const v1::PlayRequest& answers) { return session.send(answers); });
  try {
    while (const v1::PlayResponse* response = session.hear()) {
      tables.answer(response->frame(), pieces);
    }
    return true;
  } catch (const NotKnown&) {
    throw;
  } catch (...) {
    tell([&tables] { return "the bot failed; " + tables.situation(); }, "the bot failed");
    deciding = {};
    tell(current_exception, "it cannot be told how");
    return false;
  }
}

}  // namespace

int converse(const Factory& make_bot, const std::string& address, const std::string& token,
             int tables) try {
  Session session(address);
  session.send(hello(token, tables));
  const v1::PlayResponse* welcome = welcomed(session);
  if (!welcome) {
    const grpc::Status status = session.leave();
    if (!status.ok()) log("the referee does not receive this bot: " + reason(status));
    return status.ok() ? 0 : 1;
  }
  Tables seated(make_bot, welcome->welcome());
  if (!play(seated, session)) return 1;
  const grpc::Status status = session.leave();
  if (!status.ok()) log("the referee is gone: " + reason(status));
  return 0;
} catch (const NotKnown& what) {
  log(what.what());
  deciding = {};
  return 1;
}

}  // namespace upcard::detail
