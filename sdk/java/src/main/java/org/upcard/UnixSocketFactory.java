package org.upcard;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.SocketFactory;

/** Opens one Unix socket, whatever host and port it is asked for. */
final class UnixSocketFactory extends SocketFactory {
  private final Path path;

  UnixSocketFactory(Path path) {
    this.path = path;
  }

  @Override
  public Socket createSocket() throws IOException {
    return new UnixSocket(path);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return createSocket();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return createSocket();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return createSocket();
  }

  @Override
  public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
      throws IOException {
    return createSocket();
  }
}
