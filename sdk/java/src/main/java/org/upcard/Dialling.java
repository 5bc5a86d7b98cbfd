package org.upcard;

import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.nio.file.Path;

/** Opens the channel to the referee, which listens at a Unix socket. */
final class Dialling {
  private static final String UNIX = "unix:";
  private static final int MOST_BYTES = 16 * 1024 * 1024;

  private Dialling() {}

  static ManagedChannel channelTo(String address) {
    if (!address.startsWith(UNIX)) {
      throw new IllegalArgumentException("UPCARD_ADDRESS is no Unix socket: " + address);
    }
    Path path = Path.of(address.substring(UNIX.length()));
    // gRPC wants a host with a number, which takes no name lookup; the sockets ignore it.
    return OkHttpChannelBuilder.forAddress("127.0.0.1", 1, InsecureChannelCredentials.create())
        .overrideAuthority("localhost")
        .proxyDetector(anywhere -> null)
        .socketFactory(new UnixSocketFactory(path))
        .maxInboundMessageSize(MOST_BYTES)
        .disableRetry()
        .directExecutor()
        .build();
  }
}
