/// A link of the chain along which messages travel: view, screen, container, coordinator, parent, up to the root.
@MainActor
public protocol Responder: AnyObject, Sendable {
    /// The next link; nil at the end of the chain. Use a weak reference, because parents retain their children.
    var coordinatingResponder: (any Responder)? { get }
    /// The messages that this link handles; none by default.
    var handlers: MessageHandlers { get }
}

extension Responder {
    public var handlers: MessageHandlers { MessageHandlers() }
}

/// A request that a screen or a coordinator sends up the chain, with the type of its answer.
///
///     struct Lend: Message {
///         typealias Answer = Bool
///         let title: String
///     }
///
///     let isLent = try await screen.send(Lend(title: "Momo"))
public protocol Message: Sendable {
    associatedtype Answer = Void
}

extension Responder {
    /// Sends a message to the nearest responder above this one that handles its type, and returns the answer.
    ///
    /// If the handler needs a dependency that does not exist yet, the message waits for it without keeping the handler
    /// alive. The handler then runs again from its start.
    ///
    /// A handler that throws `NotHandled` leaves the message to the next handler above. One that does something before
    /// or after sends the message again, which goes to that handler, too:
    ///
    ///     handle(Lend.self) { library, lend in
    ///         guard library.isOpen else { throw Closed() }
    ///         return try await library.send(lend)
    ///     }
    ///
    /// - Throws: the handler's error; `UnhandledMessage`; `UndeliveredMessage` for a message that waited without being
    ///   handled.
    @discardableResult
    public func send<Sent: Message>(
        _ message: Sent, fileID: String = #fileID, line: Int = #line
    ) async throws -> Sent.Answer {
        try await deliver(message, to: Target(of: Sent.self, from: coordinatingResponder), fileID, line)
    }

    /// Receives a message from outside the chain, such as a link that opened the app. This responder is the first that
    /// may handle it.
    ///
    /// - Throws: as `send` does.
    @discardableResult
    public func receive<Received: Message>(
        _ message: Received, fileID: String = #fileID, line: Int = #line
    ) async throws -> Received.Answer {
        try await deliver(message, to: Target(of: Received.self, from: self), fileID, line)
    }

    private func deliver<Sent: Message>(
        _ message: Sent, to first: Target, _ fileID: String, _ line: Int
    ) async throws -> Sent.Answer {
        var target = first
        let unhandled = UnhandledMessage(
            message: Sent.self, sender: "\(type(of: self))", fileID: fileID, line: line)
        while true {
            guard target.responder != nil else { throw unhandled }
            try await (target.responder as? any MessageWaiting)?.waitingMessages.waitForEarlierMessages()
            do {
                return try await handle(message, by: target, unhandled)
            } catch is NotHandled {
                target = Target(of: Sent.self, from: target.responder?.coordinatingResponder)
            }
        }
    }

    /// Calls the handler, and again once a dependency exists that it needs.
    private func handle<Sent: Message>(
        _ message: Sent, by target: Target, _ unhandled: UnhandledMessage
    ) async throws -> Sent.Answer {
        while true {
            let missing: MissingDependency
            do {
                guard let handler = target.responder?.handlers[Sent.self] else { throw UndeliveredMessage.stopped }
                return try await handler(message)
            } catch let error as MissingDependency {
                missing = error
            } catch let error as UnhandledMessage where error.message == Sent.self {
                // The handlers passed the message on past the last one: report its first sender.
                throw unhandled
            }
            try await missing.wait()
        }
    }
}

/// The nearest responder that handles a message. Does not keep it alive while the message waits.
@MainActor
private struct Target {
    weak var responder: (any Responder)?

    init<Sent: Message>(of message: Sent.Type, from first: (any Responder)?) {
        var responder = first
        while let current = responder, current.handlers[message] == nil { responder = current.coordinatingResponder }
        self.responder = responder
    }
}

// MARK: - Handlers

/// The handlers of a responder, one for each type of message.
@MainActor
public struct MessageHandlers {
    public typealias Handler<Handled: Message> = @MainActor (Handled) async throws -> Handled.Answer

    private struct Entry<Handled: Message> {
        let handler: Handler<Handled>
    }

    private var entries: [ObjectIdentifier: Any] = [:]

    public init() {}

    public subscript<Handled: Message>(_ message: Handled.Type) -> Handler<Handled>? {
        get { (entries[ObjectIdentifier(message)] as? Entry<Handled>)?.handler }
        set { entries[ObjectIdentifier(message)] = newValue.map(Entry.init) }
    }
}

/// A responder that registers handlers for messages.
public protocol MessageHandling: Responder {
    var handlers: MessageHandlers { get set }
}

extension MessageHandling {
    /// Handles the messages of a type, and replaces an earlier handler for it. Does not keep the responder alive.
    ///
    ///     handle(Lend.self) { library, lend in try await library.lend(lend.title) }
    public func handle<Handled: Message>(
        _ message: Handled.Type, by handler: @escaping @MainActor (Self, Handled) async throws -> Handled.Answer
    ) {
        handlers[message] = { [weak self] message in
            guard let self else { throw UndeliveredMessage.stopped }
            return try await handler(self, message)
        }
    }
}

// MARK: - Errors

/// Thrown by a handler that leaves the message to the next handler above.
public struct NotHandled: Error {
    public init() {}
}

/// A message that no responder up to the root handles.
public struct UnhandledMessage: Error, Sendable {
    public let message: any Message.Type
    /// The type of the responder that sent the message.
    public let sender: String
    /// The file that sent the message, as `Module/File.swift`.
    public let fileID: String
    public let line: Int

    public init(message: any Message.Type, sender: String, fileID: String, line: Int) {
        self.message = message
        self.sender = sender
        self.fileID = fileID
        self.line = line
    }
}

extension UnhandledMessage: CustomStringConvertible {
    public var description: String { "no responder handles \(message), which \(sender) sent at \(fileID):\(line)" }
}

/// The reason why a message did not reach its handler. It had no effect.
public enum UndeliveredMessage: Error, Sendable, Equatable {
    /// The handler's queue of waiting messages is full.
    case queueFull
    /// The handler stopped or was deallocated.
    case stopped
    /// The task that sent the message was cancelled.
    case cancelled
}

/// A dependency that a handler needs and that does not exist yet. Throw it before doing anything else, with
/// `Coordinator.needed`: `Responder.send` waits for the dependency, then calls the handler again.
public struct MissingDependency: Error, CustomStringConvertible {
    /// The key path of the dependency, such as `\AppDependency.cart`.
    public let name: String
    let waitingMessages: WaitingMessages
    let exists: @MainActor @Sendable () -> Bool

    func wait() async throws(UndeliveredMessage) {
        try await waitingMessages.wait(until: exists)
    }

    public var description: String { "\(name) does not exist yet" }
}

/// The messages of a coordinator that wait for a dependency, in the order of their arrival. It does not know the
/// coordinator, so a waiting message does not keep it alive.
@MainActor
final class WaitingMessages {
    private struct Message {
        let id: Int
        let isReady: @MainActor @Sendable () -> Bool
        let turn: CheckedContinuation<Result<Void, UndeliveredMessage>, Never>
    }

    private let limit: Int
    private var messages: [Message] = []
    private var lastId = 0
    /// The message that was called and is not running yet. One at a time, so that the order is kept on any executor.
    private var called: Int?
    private var isStopped = false

    init(limit: Int) {
        self.limit = limit
    }

    func start() {
        isStopped = false
    }

    func stop() {
        isStopped = true
        let stopped = messages
        messages = []
        for message in stopped { message.turn.resume(returning: .failure(.stopped)) }
    }

    /// Calls the next message whose dependency exists; the others follow.
    func call() {
        guard called == nil, let index = messages.firstIndex(where: { $0.isReady() }) else { return }
        let message = messages.remove(at: index)
        called = message.id
        message.turn.resume(returning: .success(()))
    }

    /// A message that arrives while earlier ones are being called waits behind them.
    func waitForEarlierMessages() async throws(UndeliveredMessage) {
        guard !isStopped else { throw .stopped }
        guard called != nil else { return }
        try await wait { true }
    }

    func wait(until isReady: @escaping @MainActor @Sendable () -> Bool) async throws(UndeliveredMessage) {
        guard !isStopped else { throw .stopped }
        guard messages.count < limit else { throw .queueFull }
        lastId += 1
        let id = lastId
        let outcome: Result<Void, UndeliveredMessage> = await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                guard !Task.isCancelled else { return turn.resume(returning: .failure(.cancelled)) }
                messages.append(Message(id: id, isReady: isReady, turn: turn))
                call()
            }
        } onCancel: {
            Task { @MainActor [weak self] in self?.cancel(id) }
        }
        if called == id {
            called = nil
            call()
        }
        try outcome.get()
        guard !Task.isCancelled else { throw .cancelled }
    }

    private func cancel(_ id: Int) {
        guard let index = messages.firstIndex(where: { $0.id == id }) else { return }
        messages.remove(at: index).turn.resume(returning: .failure(.cancelled))
    }
}

/// A responder with handlers that may wait for a dependency.
protocol MessageWaiting: Responder {
    var waitingMessages: WaitingMessages { get }
}
