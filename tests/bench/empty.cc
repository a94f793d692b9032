// The floor of every start time: a static program that does nothing.
int main() { return 0; }
