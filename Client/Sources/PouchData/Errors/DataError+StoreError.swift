extension DataError {
    public init(_ error: StoreError) {
        self.init(error.reason == .listChanged ? .listChanged : .localStore, log: error.description)
    }
}
