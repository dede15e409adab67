import PouchData
import PouchEntities

/// Whose cart it is.
extension CartManager: SessionFollower {
    func begin() async throws(DataError) {
        try await account.sessionOrGuest()
        await settleOwner()
    }

    func note(_ moment: SessionFollowers.Moment) async {
        switch moment {
        case .leaving:
            // Also what an earlier process has left.
            await settleOwner()
            if !queue.isEmpty { _ = await startWork(evenOffline: false).valueUnlessCancelled }
        case .changed: await settleOwner()
        }
    }

    /// What counts is who is signed in now, and not in which order the news of it came here.
    func settleOwner() async {
        while let keeping { _ = await keeping.value }
        // Also what an earlier process has left.
        if (owner ?? UserSession.nobody) == UserSession.nobody, let session = account.session {
            await data.handOverEditsOfNobody(to: session)
        }
        let session = account.session
        if owner != session?.owner ?? UserSession.nobody { take(session) }
        await loading?.value
    }

    private func take(_ session: UserSession?) {
        let left = queue
        let leavesAccount = hasAccount
        // What was not heard of yet is nobody else's business.
        if leavesAccount { news.forget() }
        let owner = session?.owner ?? UserSession.nobody
        self.owner = owner
        hasAccount = session.map { $0.kind != .guest } ?? false
        ownership += 1
        generation += 1
        base = nil
        failure = nil
        sessionFailure = nil
        replay = nil
        retry?.cancel()
        retry = nil
        queue = []
        for entry in left {
            if leavesAccount {
                // What is in the store waits there for its owner.
                waiting.removeValue(forKey: entry.key)?.resume(returning: .failure(DataError(.sessionEnded)))
            } else if entry.key != sending, let moved = session.flatMap(entry.pending.takenOver) {
                var entry = entry
                entry.pending = moved
                queue.append(entry)
            } else {
                // A guest does not come back.
                refuse(entry, DataError(entry.pending.write.firstSentAt == nil ? .sessionEnded : .outcomeUnknown))
            }
        }
        show()
        guard isQueueing else {
            if !queue.isEmpty { startWork(evenOffline: false) }
            return
        }
        loading = Task { [ownership] in await load(owner, ownership) }
    }

    private func load(_ owner: String, _ asked: Int) async {
        let known = try? await data.storedCart(of: owner)
        let kept = (try? await data.pendingCartEdits(of: owner)) ?? []
        var entries: [Entry] = []
        for pending in kept {
            entries.append(
                Entry(
                    pending: pending, isKept: true, isShown: true,
                    product: await product(of: pending.edit, in: known?.cart)))
        }
        guard ownership == asked else { return }
        loading = nil
        if base == nil { base = known }
        queue.insert(contentsOf: entries.filter { entry in !queue.contains { $0.key == entry.key } }, at: 0)
        show()
        if !queue.isEmpty { startWork(evenOffline: false) }
    }
}
