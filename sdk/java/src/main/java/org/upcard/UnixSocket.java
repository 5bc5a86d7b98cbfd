package org.upcard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * A connected Unix socket in the form of a {@link Socket}, which is what gRPC's light transport
 * wants. Java itself has such sockets only as channels.
 */
final class UnixSocket extends Socket {
  private static final SocketAddress NOWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final SocketChannel channel;

  UnixSocket(Path path) throws IOException {
    channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
  }

  // Not those of Channels: there a thread that waits to read keeps others from writing.
  @Override
  public InputStream getInputStream() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return channel.read(ByteBuffer.wrap(bytes, offset, length));
      }
    };
  }

  @Override
  public OutputStream getOutputStream() {
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes, offset, length);
        while (rest.hasRemaining()) {
          channel.write(rest);
        }
      }
    };
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public boolean isClosed() {
    return !channel.isOpen();
  }

  // What is left is for sockets of a network.

  @Override
  public void setTcpNoDelay(boolean on) {}

  @Override
  public void setSoTimeout(int millis) {}

  @Override
  public int getSoTimeout() {
    return 0;
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return NOWHERE;
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return NOWHERE;
  }
}
