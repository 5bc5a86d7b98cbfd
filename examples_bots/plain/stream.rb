# frozen_string_literal: true

require 'grpc'
require 'upcard/v1/referee_pb'

# The one stream to the referee: what is said and what is heard, in turn, without threads.
#
# The stub that gRPC makes for such a stream writes from a thread of its own, and waits for that
# thread when the referee ends the stream. So the call is made by hand.
class Stream
  include GRPC::Core::CallOps

  METHOD = '/upcard.v1.RefereeService/Play'

  def initialize(address)
    @channel = GRPC::Core::Channel.new(address, {}, :this_channel_is_insecure)
    @call = @channel.create_call(nil, nil, METHOD, nil, GRPC::Core::TimeConsts::INFINITE_FUTURE)
    attempt(SEND_INITIAL_METADATA => {})
  end

  def say(request)
    attempt(SEND_MESSAGE => request.to_proto)
  end

  # Yields each message until the stream ends; fails if it does not end well.
  def each
    attempt(RECV_INITIAL_METADATA => nil)
    while (message = attempt(RECV_MESSAGE => nil)&.message)
      yield Upcard::V1::PlayResponse.decode(message)
    end
    @call.run_batch(RECV_STATUS_ON_CLIENT => nil).check_status
  end

  def close
    attempt(SEND_CLOSE_FROM_CLIENT => nil)
  end

  private

  def attempt(what)
    @call.run_batch(what)
  rescue GRPC::Core::CallError
    # There is no stream, or no longer; the next that listens is told why.
  end
end
