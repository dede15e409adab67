import Foundation

/// Prints a line at once, also to a pipe.
public func say(_ line: String) {
    print(line)
    fflush(nil)
}

extension String {
    public func padded(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
    public func leftPadded(_ width: Int) -> String {
        String(repeating: " ", count: Swift.max(0, width - count)) + self
    }
}
